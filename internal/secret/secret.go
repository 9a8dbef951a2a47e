// Package secret encrypts credentials at rest.
//
// A key file holds 32 random bytes in base64, readable by its owner only. Each
// value is sealed with AES-256-GCM under a key derived from it, bound to the
// connection and the field it belongs to: a ciphertext moved to another row
// does not open.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"personal-workspace/internal/fault"
)

const keySize = 32

// Key seals and opens values. It is safe for concurrent use.
type Key struct {
	id   string
	aead cipher.AEAD
}

// LoadKey reads the key file at path. A missing file is os.ErrNotExist; one
// that others can read, or that does not hold 32 bytes of base64, is a fault.
func LoadKey(path string) (*Key, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the credential key: %w", err)
	}
	if st.Mode().IsRegular() && tooOpen(st.Mode().Perm(), ownerOf(st), os.Geteuid()) {
		return nil, fault.New(fault.Forbidden, "Others can read the credential key file %s; run: chmod 600 %s", path, path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the credential key: %w", err)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(raw) != keySize {
		return nil, fault.Invalid("credential-key-file", "The credential key file %s does not hold 32 bytes in base64; put back the right file.", path)
	}
	return newKey(raw)
}

// tooOpen reports whether others than the process's user can use a file of that
// mode and owner. systemd hands a service its credential as a file of root with
// an access list, whose mask stat shows as the group's right to read.
func tooOpen(mode fs.FileMode, owner, user int) bool {
	if owner == 0 && user != 0 {
		return mode&0o037 != 0
	}
	return mode&0o077 != 0
}

func ownerOf(st fs.FileInfo) int {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return int(sys.Uid)
	}
	return os.Geteuid()
}

// CreateKey makes a new key file at path. It never replaces a file: an existing
// one is os.ErrExist. A crash leaves a whole file or none, and once the key is
// returned the file survives a power cut.
func CreateKey(path string) (*Key, error) {
	raw := make([]byte, keySize)
	rand.Read(raw)
	f, err := os.CreateTemp(filepath.Dir(path), ".credential-key-*")
	if err != nil {
		return nil, fmt.Errorf("make the credential key: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(base64.StdEncoding.EncodeToString(raw) + "\n")
	if err := errors.Join(err, f.Chmod(0o600), f.Sync(), f.Close()); err != nil {
		return nil, fmt.Errorf("make the credential key: %w", err)
	}
	// A link, unlike a rename, refuses to replace what is there.
	if err := os.Link(f.Name(), path); err != nil {
		return nil, fmt.Errorf("make the credential key: %w", err)
	}
	// What the key seals is on the disk at once; the key's name must be before.
	if err := syncDir(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("make the credential key: %w", err)
	}
	return newKey(raw)
}

func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func newKey(raw []byte) (*Key, error) {
	sub, err := hkdf.Key(sha256.New, raw, nil, "personal-workspace credentials v1", keySize)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(sub)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	id, err := hkdf.Key(sha256.New, raw, nil, "personal-workspace key id v1", 8)
	if err != nil {
		return nil, err
	}
	return &Key{id: hex.EncodeToString(id), aead: aead}, nil
}

// ID names the key without giving it away; it is stored beside each ciphertext.
func (k *Key) ID() string { return k.id }

// Seal encrypts plain for one field of one connection. The result carries its
// nonce and is 28 bytes longer than plain.
func (k *Key) Seal(connectionID, field string, plain []byte) []byte {
	return k.aead.Seal(nil, nil, plain, bind(connectionID, field))
}

// Open decrypts what Seal made for the same connection and field. Any other
// ciphertext is a fault.
func (k *Key) Open(connectionID, field string, sealed []byte) ([]byte, error) {
	plain, err := k.aead.Open(nil, nil, sealed, bind(connectionID, field))
	if err != nil {
		return nil, fault.New(fault.Unauthorized, "The stored credential cannot be decrypted with this key; put back the right key file or run: workspace connections forget-secrets").
			With(fault.DetailConnectionID, connectionID).Wrap(err)
	}
	return plain, nil
}

// bind joins the names unambiguously: ids hold no NUL.
func bind(connectionID, field string) []byte {
	return []byte(connectionID + "\x00" + field)
}
