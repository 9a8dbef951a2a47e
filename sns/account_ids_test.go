package sns_test

import (
	"strconv"
	"testing"

	"personal-workspace/sns"
)

func TestAccountIDsAreOfOneConnectionAndServer(t *testing.T) {
	var ids sns.AccountIDs
	a := sns.Account{ConnectionID: "conn_1", Origin: "https://a.example"}
	ids.Put(a, "@Ben", "7")
	for _, tc := range []struct {
		name    string
		account sns.Account
		asked   string
		want    string
	}{
		{"as it was", a, "@Ben", "7"},
		{"without the sign and in other case", a, "bEN", "7"},
		{"another name", a, "@ann", ""},
		{"another connection", sns.Account{ConnectionID: "conn_2", Origin: a.Origin}, "@Ben", ""},
		{"another server", sns.Account{ConnectionID: "conn_1", Origin: "https://b.example"}, "@Ben", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, ok := ids.Get(tc.account, tc.asked); got != tc.want || ok != (tc.want != "") {
				t.Errorf("Get = %q, %v, want %q", got, ok, tc.want)
			}
		})
	}
}

func TestAccountIDsKeepTheNewest(t *testing.T) {
	const most = 1024
	var ids sns.AccountIDs
	var a sns.Account
	ids.Put(a, "forgotten", "1")
	ids.Forget(a, "@Forgotten")
	for i := range most + 1 {
		ids.Put(a, "u"+strconv.Itoa(i), "1")
		ids.Put(a, "u"+strconv.Itoa(i), "2")
	}

	for name, want := range map[string]string{"forgotten": "", "u0": "", "u1": "2", "u1024": "2"} {
		if got, _ := ids.Get(a, name); got != want {
			t.Errorf("Get(%s) = %q, want %q", name, got, want)
		}
	}
}
