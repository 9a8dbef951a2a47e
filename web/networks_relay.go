package web

import (
	"context"
	"slices"
	"strings"
	"sync"

	"personal-workspace/internal/fault"
	"personal-workspace/web/view"
)

// offerProfiles lets the form that adds an account of X choose among the profiles
// of the configured relays. A relay that does not tell them says why; the name can
// be typed all the same.
func (h *Handler) offerProfiles(ctx context.Context, p *view.ConnectPage) {
	ctx, cancel := context.WithTimeout(ctx, offerWait)
	defer cancel()
	relays := h.connections.Relays()
	names, problems := make([][]string, len(relays)), make([]error, len(relays))
	var wg sync.WaitGroup
	for i, relay := range relays {
		wg.Go(func() { names[i], problems[i] = h.connections.ListProfiles(ctx, relay) })
	}
	wg.Wait()

	for i, relay := range relays {
		_, host, _ := strings.Cut(relay, "://")
		p.Offers = append(p.Offers, profileWords(host, names[i], problems[i]))
		p.Profiles = append(p.Profiles, names[i]...)
	}
	slices.Sort(p.Profiles)
	p.Profiles = slices.Compact(p.Profiles)
	if p.Profile == "" && p.Problem == "" && len(p.Profiles) == 1 {
		p.Profile = p.Profiles[0]
	}
}

// maxProfileWords is how many profiles of a relay are named in a sentence.
const maxProfileWords = 12

func profileWords(host string, names []string, err error) string {
	switch {
	case fault.CodeOf(err) == fault.Timeout || fault.CodeOf(err) == fault.Canceled:
		return host + " did not say in time which profiles it has."
	case err != nil:
		return fault.From(err).Message
	case len(names) == 0:
		return host + " has no profile; give it one in its settings."
	case len(names) > maxProfileWords:
		names = append(slices.Clone(names[:maxProfileWords]), "…")
	}
	return host + " has: " + strings.Join(names, ", ")
}
