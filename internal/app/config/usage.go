package config

import (
	"fmt"
	"strings"
)

// Usage returns the lines of a usage text for the settings that a command
// takes: all, or only those of the store.
func Usage(storeOnly bool) string {
	var b strings.Builder
	for _, s := range Settings() {
		if storeOnly && !s.Store {
			continue
		}
		head := "--" + s.Flag()
		if s.Kind != Bool {
			head += " " + s.Placeholder
		}
		fmt.Fprintf(&b, "  %s  (%s)\n", head, s.Name)
		text := s.Help
		if s.Default != "" {
			text += " Default: " + s.Default + "."
		}
		for _, line := range wrap(strings.ReplaceAll(text, "`", ""), 72) {
			fmt.Fprintf(&b, "        %s\n", line)
		}
	}
	return b.String()
}

// Markdown returns the table of settings for the README.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| variable | flag | default | what it does |\n| --- | --- | --- | --- |\n")
	for _, s := range Settings() {
		def := s.Default
		if def != "" && !strings.Contains(def, "`") {
			def = "`" + def + "`"
		}
		if def == "" {
			def = "–"
		}
		fmt.Fprintf(&b, "| `%s` | `--%s` | %s | %s |\n", s.Name, s.Flag(), def, s.Help)
	}
	return b.String()
}

func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
