package web

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"personal-workspace/internal/fault"
)

const (
	// minPassword is in code points; maxPassword in bytes, so that nobody can
	// make the server hash a novel.
	minPassword = 10
	maxPassword = 1024

	// The argon2id cost: about 100 ms and 19 MiB for each attempt.
	argonTime    = 2
	argonMemory  = 19 * 1024 // KiB
	argonThreads = 1
	argonSalt    = 16
	argonKey     = 32

	// hashesAtOnce bounds the memory and the processors that attempts can take.
	hashesAtOnce = 2
)

// passwords hashes and checks the person's password.
type passwords struct {
	store store
	slots chan struct{}
}

func newPasswords(s store) *passwords {
	return &passwords{store: s, slots: make(chan struct{}, hashesAtOnce)}
}

// checkNew returns the fault of a password that must not be set.
func checkNew(password, again string) error {
	switch {
	case utf8.RuneCountInString(normalized(password)) < minPassword:
		return fault.Invalid("password", "The password needs at least %d characters; a few words make a good one.", minPassword)
	case len(password) > maxPassword:
		return fault.Invalid("password", "The password is longer than %d bytes; use a shorter one.", maxPassword)
	case !utf8.ValidString(password):
		return fault.Invalid("password", "The password holds characters that cannot be read; type it again.")
	case password != again:
		return fault.Invalid("again", "The two passwords differ; type the same one in both fields.")
	}
	return nil
}

// normalized makes the same typed text the same bytes on every device.
func normalized(password string) string { return norm.NFC.String(password) }

// hash returns the PHC form of a password that is to be stored.
func (p *passwords) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, argonSalt)
	rand.Read(salt) // never fails
	key, err := p.derive(ctx, password, salt, argonTime, argonMemory, argonThreads, argonKey)
	if err != nil {
		return "", err
	}
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version,
		argonMemory, argonTime, argonThreads, enc.EncodeToString(salt), enc.EncodeToString(key)), nil
}

// matches reports whether the password is the stored one. Without a stored one
// nothing matches.
func (p *passwords) matches(ctx context.Context, password string) (bool, error) {
	stored, err := p.store.passwordHash(ctx)
	if err != nil || stored == "" || len(password) > maxPassword {
		return false, err
	}
	h, err := parseHash(stored)
	if err != nil {
		return false, err
	}
	key, err := p.derive(ctx, password, h.salt, h.time, h.memory, h.threads, uint32(len(h.key)))
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(key, h.key) == 1, nil
}

func (p *passwords) derive(ctx context.Context, password string, salt []byte, time, memory uint32, threads uint8, length uint32) ([]byte, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	return argon2.IDKey([]byte(normalized(password)), salt, time, memory, threads, length), nil
}

type storedHash struct {
	time, memory uint32
	threads      uint8
	salt, key    []byte
}

var errStoredHash = errors.New("the stored password hash cannot be read")

// parseHash reads the PHC form, with the cost it was made with: a later change
// of the cost leaves old passwords valid.
func parseHash(s string) (h storedHash, err error) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, errStoredHash
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.time, &h.threads); err != nil {
		return h, fmt.Errorf("%w: %w", errStoredHash, err)
	}
	var saltErr, keyErr error
	h.salt, saltErr = base64.RawStdEncoding.DecodeString(parts[4])
	h.key, keyErr = base64.RawStdEncoding.DecodeString(parts[5])
	if err := errors.Join(saltErr, keyErr); err != nil {
		return h, fmt.Errorf("%w: %w", errStoredHash, err)
	}
	if h.time == 0 || h.threads == 0 || len(h.key) == 0 {
		return h, errStoredHash
	}
	return h, nil
}
