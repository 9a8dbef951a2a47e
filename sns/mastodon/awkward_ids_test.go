package mastodon_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

func testNumericIDs(t *testing.T) {
	st := strings.Replace(status("1", nil), `"id":"1"`, `"id":110503322889311999`, 1)
	st = strings.Replace(st, `"in_reply_to_id":null`, `"in_reply_to_id":110503322889311998`, 1)

	p := homePost(t, st)

	if p.ID != "110503322889311999" || p.ReplyTo == nil || p.ReplyTo.ID != "110503322889311998" {
		t.Errorf("id %q, reply to %+v; want all digits", p.ID, p.ReplyTo)
	}
}

func testHugeID(t *testing.T) {
	huge := strings.Replace(status("1", nil), `"id":"1"`, `"id":99999999999999999999`, 1)
	page := serve(t, answerJSON("["+status("3", nil)+","+huge+","+status("2", nil)+"]")).page(t, home, "")

	if diff := cmp.Diff([]string{"3", "99999999999999999999", "2"}, ids(page.Posts)); diff != "" || page.Skipped != 0 {
		t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
	}
	if p := page.Posts[1]; p.Text != "post 1" || p.Author.Handle != "@ann@ex.org" {
		t.Errorf("the post is %q by %q, want it whole", p.Text, p.Author.Handle)
	}
}

func testOpaqueIDs(t *testing.T) {
	for name, id := range map[string]string{"ULID": "01J9Z3K8Q5V7XW2M4N6P8R0TAB", "flake": "9wVdYB3eVTIGvZLnwm", "note": "note:abc"} {
		t.Run(name, func(t *testing.T) {
			u := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Has("max_id") {
					io.WriteString(w, "[]")
					return
				}
				w.Header().Set("Link", `<https://ex.org/api/v1/timelines/home?max_id=`+id+`>; rel="next"`)
				io.WriteString(w, "["+status(id, nil)+"]")
			})
			page := u.page(t, home, "")
			if len(page.Posts) != 1 || page.Posts[0].ID != id {
				t.Fatalf("posts = %v, want %s", ids(page.Posts), id)
			}
			u.page(t, home, page.Next)
			if got := u.requests[1].URL.Query().Get("max_id"); got != id {
				t.Errorf("the next page was asked for with %q, want %q", got, id)
			}
		})
	}
}

func testClimbingIDs(t *testing.T) {
	u := serve(t, answerJSON("[]"))
	for _, id := range []string{"1/../../../v2/instance?x=1", "..", "a..b", "", "a/b", "a%2Fb", "a b", "-1", strings.Repeat("1", 129)} {
		t.Run("post "+id, func(t *testing.T) {
			_, err := u.fetch(t, sns.Source{Kind: sns.KindPost, PostID: id}, "")
			wantFault(t, err, fault.InvalidSource, object{"field": "source.postId"})
		})
		t.Run("thread "+id, func(t *testing.T) {
			_, err := u.provider.Thread(t.Context(), u.account(), id)
			wantFault(t, err, fault.InvalidSource, object{"field": "source.postId"})
		})
		t.Run("list "+id, func(t *testing.T) {
			_, err := u.fetch(t, sns.Source{Kind: sns.KindList, ListID: id}, "")
			wantFault(t, err, fault.InvalidSource, object{"field": "source.listId"})
		})
	}
	if got := u.log(); len(got) != 0 {
		t.Errorf("requests = %v, want none", got)
	}
}

func testOddTimes(t *testing.T) {
	fromID := time.UnixMilli(110503322889311999 >> 16).UTC()
	for _, tc := range []struct {
		name, id string
		at       any
		want     *time.Time
	}{
		{"empty", "1", "", nil},
		{"null", "1", nil, nil},
		{"date only", "1", "2026-11-30", nil},
		{"a number", "1", 5, nil},
		{"empty with a time in the id", "110503322889311999", "", &fromID},
		{"null with a time in the id", "110503322889311999", nil, &fromID},
		{"date only with a time in the id", "110503322889311999", "2026-11-30", &fromID},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := homePost(t, status(tc.id, object{"created_at": tc.at}))
			if diff := cmp.Diff(tc.want, p.CreatedAt); diff != "" {
				t.Errorf("createdAt (-want +got):\n%s", diff)
			}
			if p.Text == "" || p.Author.Handle == "" {
				t.Errorf("the post lost more than its time: %+v", p)
			}
		})
	}
}

func testMalformedEntry(t *testing.T) {
	for name, bad := range map[string]string{"a text": `"x"`, "a list": `[1]`, "no id": `{"content":"x"}`, "an id that climbs": status("../1", nil)} {
		t.Run(name, func(t *testing.T) {
			entries := []string{}
			for id := range strings.FieldsSeq("20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2") {
				entries = append(entries, status(id, nil))
			}
			entries = append(entries[:7], append([]string{bad}, entries[7:]...)...)
			page := serve(t, answerJSON("["+strings.Join(entries, ",")+"]")).page(t, home, "")
			if len(page.Posts) != 19 || page.Skipped != 1 {
				t.Errorf("%d posts, %d skipped; want 19, 1", len(page.Posts), page.Skipped)
			}
			if diff := cmp.Diff([]string{"1 entry could not be read and is left out."}, page.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func testNulls(t *testing.T) {
	t.Run("entry", func(t *testing.T) {
		page := serve(t, answerJSON("[null,"+status("1", nil)+"]")).page(t, home, "")
		if diff := cmp.Diff([]string{"1"}, ids(page.Posts)); diff != "" || page.Skipped != 1 {
			t.Errorf("skipped %d, posts (-want +got):\n%s", page.Skipped, diff)
		}
	})
	t.Run("body", func(t *testing.T) {
		page := serve(t, answerJSON("null")).page(t, home, "")
		if diff := cmp.Diff(sns.UpstreamPage{}, page); diff != "" {
			t.Errorf("page (-want +got):\n%s", diff)
		}
	})
}

// TestTimesWithoutAFormAreDropped: in UTC these times are of the year 10000, or
// of one before there were servers.
func TestTimesWithoutAFormAreDropped(t *testing.T) {
	for _, at := range []string{"9999-12-31T23:59:59-12:00", "1970-01-01T00:00:00+12:00", "0001-01-01T00:00:00+01:00"} {
		t.Run(at, func(t *testing.T) {
			poll := object{"id": "1", "expires_at": at, "expired": false, "multiple": false, "options": []object{{"title": "a"}, {"title": "b"}}}
			p := homePost(t, status("1", object{"created_at": at, "edited_at": at, "poll": poll}))
			if p.CreatedAt != nil || p.EditedAt != nil || p.Poll == nil || p.Poll.ExpiresAt != nil {
				t.Errorf("created %v, edited %v, poll %+v; want no times", p.CreatedAt, p.EditedAt, p.Poll)
			}
			body := encode([]object{{"id": "1", "type": "follow", "created_at": at, "account": accountJSON("9", "ann")}})
			page := serve(t, answerJSON(body)).page(t, sns.Source{Kind: sns.KindNotifications}, "")
			if len(page.Posts) != 1 || page.Posts[0].Notification.At != nil || page.Posts[0].CreatedAt != nil {
				t.Errorf("notifications = %+v; want one without times", page.Posts)
			}
		})
	}
	if p := homePost(t, status("1", object{"created_at": "9999-12-31T23:59:59+00:00"})); p.CreatedAt == nil {
		t.Error("the last second that has a form was dropped")
	}
}
