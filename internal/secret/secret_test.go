package secret_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/secret"
)

func newKey(t *testing.T) (*secret.Key, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "credential-key")
	k, err := secret.CreateKey(path)
	if err != nil {
		t.Fatal(err)
	}
	return k, path
}

func TestASealedValueOpensAfterAReload(t *testing.T) {
	k, path := newKey(t)
	sealed := k.Seal("conn_1", "token", []byte("s3cret"))

	again, err := secret.LoadKey(path)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := again.Open("conn_1", "token", sealed)

	if string(plain) != "s3cret" || err != nil {
		t.Errorf("Open = %q, %v, want %q", plain, err, "s3cret")
	}
	if again.ID() != k.ID() {
		t.Errorf("ID = %q, want %q", again.ID(), k.ID())
	}
}

func TestOpenRefuses(t *testing.T) {
	k, _ := newKey(t)
	other, _ := newKey(t)
	sealed := k.Seal("conn_1", "token", []byte("s3cret"))
	flipped := bytes.Clone(sealed)
	flipped[len(flipped)-1] ^= 1
	for _, tc := range []struct {
		name        string
		key         *secret.Key
		conn, name2 string
		sealed      []byte
	}{
		{"another connection", k, "conn_2", "token", sealed},
		{"another field", k, "conn_1", "client_secret", sealed},
		{"names that join to the same text", k, "conn_1\x00tok", "en", sealed},
		{"another key", other, "conn_1", "token", sealed},
		{"a changed byte", k, "conn_1", "token", flipped},
		{"a cut value", k, "conn_1", "token", sealed[:10]},
		{"nothing", k, "conn_1", "token", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			plain, err := tc.key.Open(tc.conn, tc.name2, tc.sealed)
			if plain != nil || fault.CodeOf(err) != fault.Unauthorized {
				t.Errorf("Open = %q, %v, want %q", plain, err, fault.Unauthorized)
			}
		})
	}
}

func TestTheSameValueSealsDifferently(t *testing.T) {
	k, _ := newKey(t)
	a, b := k.Seal("c", "f", []byte("x")), k.Seal("c", "f", []byte("x"))
	if bytes.Equal(a, b) {
		t.Error("two sealings are equal")
	}
	if got, want := len(a), 29; got != want {
		t.Errorf("length = %d, want %d", got, want)
	}
}

func TestTheKeyFileIsPrivate(t *testing.T) {
	_, path := newKey(t)
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := st.Mode().Perm(), fs.FileMode(0o600); got != want {
		t.Errorf("mode = %v, want %v", got, want)
	}
}

func TestCreateKeyNeverReplacesAFile(t *testing.T) {
	_, path := newKey(t)
	before, _ := os.ReadFile(path)

	_, err := secret.CreateKey(path)

	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("error = %v, want %v", err, fs.ErrExist)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the key file changed")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestLoadKeyRefuses(t *testing.T) {
	valid := "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
	for _, tc := range []struct {
		name, content string
		mode          fs.FileMode
		want          fault.Code
	}{
		{"a file others can read", valid, 0o640, fault.Forbidden},
		{"a short key", "AAEC\n", 0o600, fault.InvalidArguments},
		{"no base64", "hello!\n", 0o600, fault.InvalidArguments},
		{"an empty file", "", 0o600, fault.InvalidArguments},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "key")
			if err := os.WriteFile(path, []byte(tc.content), tc.mode); err != nil {
				t.Fatal(err)
			}
			_, err := secret.LoadKey(path)
			if got := fault.CodeOf(err); got != tc.want {
				t.Errorf("code = %q (%v), want %q", got, err, tc.want)
			}
		})
	}
}

func TestLoadKeyTellsAMissingFileApart(t *testing.T) {
	_, err := secret.LoadKey(filepath.Join(t.TempDir(), "key"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error = %v, want %v", err, fs.ErrNotExist)
	}
}
