package snstest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/sns/snstest"
)

// reply is what a test sees of an answer.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// ids reads the ids of an array of records.
func (r reply) ids(t *testing.T) []string {
	t.Helper()
	var records []struct{ ID string }
	r.into(t, &records)
	out := make([]string, len(records))
	for i, e := range records {
		out[i] = e.ID
	}
	return out
}

func (r reply) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal(r.body, v); err != nil {
		t.Fatalf("decode %d bytes with status %d: %v\n%.300s", len(r.body), r.status, err, r.body)
	}
}

// get asks as the account of a token, or as a stranger without one.
func get(t *testing.T, address, token string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatalf("GET %s: %v", address, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("read %s: %v", address, err)
	}
	return reply{resp.StatusCode, resp.Header, body}
}

func TestHomeHasThePostsOfPeopleFollowedNewestFirst(t *testing.T) {
	m := snstest.NewMastodon(snstest.Options{})
	origin := snstest.Serve(t, m)
	ids := m.AddMany(3)

	got := get(t, origin+"/api/v1/timelines/home", m.Token()).ids(t)

	if diff := cmp.Diff([]string{ids[2], ids[1], ids[0]}, got); diff != "" {
		t.Errorf("home (-want +got):\n%s", diff)
	}
}
