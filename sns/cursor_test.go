package sns_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

var (
	cursorKey  = bytes.Repeat([]byte{7}, 32)
	mastodonC  = sns.Connection{ID: "conn_a", Network: sns.Mastodon}
	twitterC   = sns.Connection{ID: "conn_a", Network: sns.Twitter}
	tagged     = sns.Source{Kind: sns.KindHashtag, Tag: "日本語"}
	someCursor = sns.Cursor{Upstream: "110503322889311999", After: "110503322889311999", Handed: sns.CursorTag("1"), Issued: epoch.Unix()}
)

func genCursor() *rapid.Generator[sns.Cursor] {
	return rapid.Custom(func(t *rapid.T) sns.Cursor {
		var handed []byte
		for i := range rapid.IntRange(0, 60).Draw(t, "handed") {
			handed = append(handed, sns.CursorTag(strings.Repeat("x", i))...)
		}
		return sns.Cursor{
			Upstream: rapid.StringMatching(`[!-~]{0,200}`).Draw(t, "upstream"),
			After:    rapid.StringMatching(`[A-Za-z0-9]{0,128}`).Draw(t, "after"),
			Part:     rapid.Bool().Draw(t, "part"),
			Handed:   handed,
			Count:    rapid.IntRange(0, 100).Draw(t, "count"),
			Empty:    rapid.IntRange(0, 3).Draw(t, "empty"),
			Issued:   rapid.Int64Range(0, 1<<33).Draw(t, "issued"),
		}
	})
}

func TestCursorRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genCursor().Draw(t, "cursor")
		text := sns.SealCursor(cursorKey, mastodonC.ID, tagged, want)
		if len(text) > sns.MaxCursor {
			t.Fatalf("the cursor has %d bytes", len(text))
		}
		got, err := sns.OpenCursor(cursorKey, mastodonC, tagged, text, epoch)
		if err != nil {
			t.Fatalf("OpenCursor: %v", err)
		}
		got.Version, got.Connection, got.Source = 0, nil, nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("the cursor changed (-want +got):\n%s", diff)
		}
	})
}

func TestCursorOfAPageIsShort(t *testing.T) {
	var handed []byte
	for i := range sns.MaxPage {
		handed = append(handed, sns.CursorTag(strings.Repeat("x", i))...)
	}
	c := someCursor
	c.Handed = handed
	if n := len(sns.SealCursor(cursorKey, mastodonC.ID, home, c)); n > 420 {
		t.Errorf("a cursor has %d bytes: assistants must copy it", n)
	}
}

func TestCursorWithManyLongIDsStaysInItsLimit(t *testing.T) {
	c := sns.Cursor{Upstream: strings.Repeat("u", 1800), Handed: bytes.Repeat(sns.CursorTag("1"), 200)}
	text := sns.SealCursor(cursorKey, mastodonC.ID, home, c)
	got, err := sns.OpenCursor(cursorKey, mastodonC, home, text, epoch)
	if err != nil || got.Upstream != c.Upstream {
		t.Fatalf("OpenCursor of %d bytes: %v", len(text), err)
	}
}

func TestCursorWithAnyChangedByteIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(sns.SealCursor(cursorKey, mastodonC.ID, tagged, genCursor().Draw(t, "cursor")))
		i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		b := rapid.Byte().Filter(func(b byte) bool { return b != text[i] }).Draw(t, "byte")
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0:
			text[i] = b
		case 1:
			text = append(text[:i], append([]byte{b}, text[i:]...)...)
		case 2:
			text = text[:i]
		}
		if len(text) == 0 {
			return // no cursor at all is the newest page
		}
		_, err := sns.OpenCursor(cursorKey, mastodonC, tagged, string(text), epoch)
		if f := fault.From(err); err == nil || f.Code != fault.InvalidCursor || f.Details["reason"] != "malformed" {
			t.Fatalf("a changed cursor: %v", err)
		}
	})
}

func TestCursorIsBoundToConnectionAndSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`conn_[a-c]{1,2}`)
		source := rapid.SampledFrom([]sns.Source{
			home, tagged, {Kind: sns.KindList, ListID: "1"}, {Kind: sns.KindList, ListID: "2"}, {Kind: sns.KindLocal, OnlyMedia: true},
		})
		madeBy, usedBy := id.Draw(t, "made by"), id.Draw(t, "used by")
		madeFor, usedFor := source.Draw(t, "made for"), source.Draw(t, "used for")
		text := sns.SealCursor(cursorKey, madeBy, madeFor, someCursor)
		_, err := sns.OpenCursor(cursorKey, sns.Connection{ID: usedBy, Network: sns.Mastodon}, usedFor, text, epoch)
		same := madeBy == usedBy && madeFor.Canonical() == usedFor.Canonical()
		if same && err != nil {
			t.Fatalf("its own cursor is refused: %v", err)
		}
		if !same && fault.From(err).Details["reason"] != "source_mismatch" {
			t.Fatalf("a foreign cursor: %v", err)
		}
	})
}

func TestCursorIsBoundToTheDatabase(t *testing.T) {
	text := sns.SealCursor(bytes.Repeat([]byte{8}, 32), mastodonC.ID, home, someCursor)
	_, err := sns.OpenCursor(cursorKey, mastodonC, home, text, epoch)
	wantFault(t, err, fault.InvalidCursor, map[string]any{"reason": "malformed", "field": "cursor"})
}

func TestCursorRefusesWhatItDidNotMake(t *testing.T) {
	own := sns.SealCursor(cursorKey, mastodonC.ID, home, someCursor)
	tests := []struct{ name, in string }{
		{"a max_id", "110503322889311999"},
		{"ten kilobytes", "c1." + strings.Repeat("A", 10_000)},
		{"a valid cursor with ten kilobytes behind it", own + strings.Repeat("A", 10_000)},
		{"a line break inside", own[:20] + "\n" + own[20:]},
		{"a line break at the end", own + "\n"},
		{"padding", own + "="},
		{"white space", " " + own},
		{"another prefix", "c2." + own[3:]},
		{"no signature", own[:strings.LastIndexByte(own, '.')]},
		{"an empty signature", own[:strings.LastIndexByte(own, '.')+1]},
		{"JSON of its own", "c1." + base64.RawURLEncoding.EncodeToString([]byte(`{"v":1}`)) + ".AAAAAAAAAAAAAAAAAAAAAA"},
		{"only dots", "..."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := sns.OpenCursor(cursorKey, mastodonC, home, tt.in, epoch)
			wantFault(t, err, fault.InvalidCursor, map[string]any{"reason": "malformed"})
		})
	}
}

func TestCursorExpiresOnXOnly(t *testing.T) {
	text := sns.SealCursor(cursorKey, "conn_a", home, someCursor)
	if _, err := sns.OpenCursor(cursorKey, mastodonC, home, text, epoch.Add(10*365*24*time.Hour)); err != nil {
		t.Errorf("a cursor of Mastodon after ten years: %v", err)
	}
	if _, err := sns.OpenCursor(cursorKey, twitterC, home, text, epoch.Add(24*time.Hour)); err != nil {
		t.Errorf("a cursor of X after a day: %v", err)
	}
	_, err := sns.OpenCursor(cursorKey, twitterC, home, text, epoch.Add(24*time.Hour+time.Second))
	wantFault(t, err, fault.InvalidCursor, map[string]any{"reason": "expired"})
}

func FuzzCursor(f *testing.F) {
	f.Add("")
	f.Add("c1.")
	f.Add("c1..")
	f.Add(sns.SealCursor(cursorKey, mastodonC.ID, home, someCursor))
	f.Add(sns.SealCursor(cursorKey, "conn_b", tagged, sns.Cursor{Part: true, Count: 3}))
	f.Fuzz(func(t *testing.T, text string) {
		c, err := sns.OpenCursor(cursorKey, mastodonC, home, text, epoch)
		if err != nil {
			wantFault(t, err, fault.InvalidCursor, map[string]any{"field": "cursor"})
			return
		}
		if text != "" && sns.SealCursor(cursorKey, mastodonC.ID, home, c) != text {
			t.Fatalf("accepted %q, which this workspace did not make", text)
		}
	})
}

// What a network names as its continuation can grow sixfold when it is written as
// JSON, and then leaves no room for the entries that were handed out.
func TestLongContinuationLeavesOutWhatWasHandedOut(t *testing.T) {
	for _, tc := range []struct {
		name         string
		upstream     string
		handed, kept int
	}{
		{"room for all", strings.Repeat("<", 300), 25, 25},
		{"room for some", strings.Repeat("<", 475), 25, 15},
		{"room for none of a few", strings.Repeat("<", 494), 5, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := sns.Cursor{Upstream: tc.upstream, Part: true}
			for i := range tc.handed {
				c.Handed = append(c.Handed, sns.CursorTag(strings.Repeat("x", i))...)
			}

			text := sns.SealCursor(cursorKey, twitterC.ID, tagged, c)

			got, err := sns.OpenCursor(cursorKey, sns.Connection{ID: twitterC.ID, Network: sns.Mastodon}, tagged, text, epoch)
			if err != nil {
				t.Fatal(err)
			}
			if want := c.Handed[len(c.Handed)-tc.kept*len(sns.CursorTag("")):]; !bytes.Equal(got.Handed, want) || got.Upstream != tc.upstream {
				t.Errorf("kept %d bytes of what was handed out, want the last %d", len(got.Handed), len(want))
			}
		})
	}
	if text := sns.SealCursor(cursorKey, twitterC.ID, tagged, sns.Cursor{Upstream: strings.Repeat("<", 600), Handed: sns.CursorTag("1")}); text != "" {
		t.Errorf("a cursor of %d bytes, want none", len(text))
	}
}
