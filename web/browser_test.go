package web_test

import (
	"strings"
	"testing"
	"time"

	"personal-workspace/web"
	"personal-workspace/web/view"
)

func TestBrowserLabel(t *testing.T) {
	const gecko, webkit = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "AppleWebKit/537.36 (KHTML, like Gecko) "
	cases := map[string]struct{ agent, want string }{
		"Firefox":          {gecko, "Firefox on Linux"},
		"Firefox, phone":   {"Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", "Firefox on Android"},
		"Firefox, iPhone":  {"Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 FxiOS/140.0 Mobile/15E148 Safari/605.1.15", "Firefox on iPhone"},
		"Chrome":           {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webkit + "Chrome/156.0.0.0 Safari/537.36", "Chrome on Windows"},
		"Chrome, headless": {"Mozilla/5.0 (X11; Linux x86_64) " + webkit + "HeadlessChrome/156.0.0.0 Safari/537.36", "Chrome on Linux"},
		"Chromebook":       {"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) " + webkit + "Chrome/156.0.0.0 Safari/537.36", "Chrome on ChromeOS"},
		"Edge":             {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webkit + "Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0", "Edge on Windows"},
		"Opera":            {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " + webkit + "Chrome/156.0.0.0 Safari/537.36 OPR/120.0.0.0", "Opera on Mac"},
		"Samsung":          {"Mozilla/5.0 (Linux; Android 10; K) " + webkit + "SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36", "Samsung Internet on Android"},
		"Safari":           {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15", "Safari on Mac"},
		"Safari, iPad":     {"Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1", "Safari on iPad"},
		"a program":        {"curl/8.14.1", "Some browser"},
		"nothing":          {"", "Some browser"},
		"lies":             {`<script>alert("Firefox/")</script> Linux`, "Firefox on Linux"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := web.BrowserLabel(c.agent); got != c.want {
				t.Errorf("BrowserLabel = %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzBrowserLabel(f *testing.F) {
	f.Add(firefox)
	f.Add(iphone)
	f.Fuzz(func(t *testing.T, agent string) {
		got := web.BrowserLabel(agent)
		if len(got) > 40 || strings.ContainsAny(got, "<>&\"\n") {
			t.Errorf("BrowserLabel(%q) = %q, want a few words of its own", agent, got)
		}
	})
}

func FuzzParseLook(f *testing.F) {
	f.Add("dark.more.large")
	f.Add("..")
	f.Fuzz(func(t *testing.T, s string) {
		l := web.ParseLook(s)
		for _, c := range []struct {
			value   string
			choices []view.Choice
		}{{l.Theme, view.Themes}, {l.Contrast, view.Contrasts}, {l.Text, view.TextSizes}} {
			if !isChoice(c.value, c.choices) {
				t.Errorf("ParseLook(%q) has %q, which is no choice", s, c.value)
			}
		}
	})
}

func isChoice(v string, list []view.Choice) bool {
	for _, c := range list {
		if c.Value == v {
			return true
		}
	}
	return false
}

func FuzzParseZone(f *testing.F) {
	for _, s := range []string{"", "UTC", "Europe/Berlin", "../UTC", "Local", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := web.ParseZone(s)
		if err != nil || name == "" {
			return
		}
		if zone, err := time.LoadLocation(name); err != nil || zone.String() != name || len(name) > 64 {
			t.Errorf("ParseZone(%q) = %q, which loads as %v, %v", s, name, zone, err)
		}
	})
}
