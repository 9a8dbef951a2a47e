package web

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"personal-workspace/web/view"
)

// keyRegistry is what the script takes its keys from too.
//
//go:embed assets/keys.json
var keyRegistry []byte

// keyCommand is a row of the registry.
type keyCommand struct {
	In   string   `json:"in"`
	Keys []string `json:"keys"`
	Does string   `json:"does"`
	Run  string   `json:"run"`
	With string   `json:"with"`
}

// keyNames are those of keys that have no character.
var keyNames = strings.NewReplacer("ArrowLeft", "←", "ArrowRight", "→", "ArrowUp", "↑", "ArrowDown", "↓", "Escape", "Esc")

// keyGroups reads the registry and leaves out what leads to a section that the
// navigation does not have.
func keyGroups() (groups []view.KeyGroup, err error) {
	var list []keyCommand
	if err := json.Unmarshal(keyRegistry, &list); err != nil {
		return nil, fmt.Errorf("read the keys: %w", err)
	}
	for _, c := range list {
		if c.Run == "go" && !slices.Contains(view.Sections, c.With) {
			continue
		}
		if len(groups) == 0 || groups[len(groups)-1].Name != c.In {
			groups = append(groups, view.KeyGroup{Name: c.In})
		}
		line := view.KeyLine{Does: c.Does}
		for _, k := range c.Keys {
			line.Keys = append(line.Keys, strings.Fields(keyNames.Replace(k)))
		}
		g := &groups[len(groups)-1]
		g.Lines = append(g.Lines, line)
	}
	return groups, nil
}

// keys lists the keys; the script shows the same in a dialog.
func (h *Handler) keys(w http.ResponseWriter, r *http.Request) error {
	groups, err := keyGroups()
	if err != nil {
		return err
	}
	return h.render(w, r, http.StatusOK, view.Keys(view.KeysPage{Page: h.page(r, "Keys", "settings"), Groups: groups}))
}
