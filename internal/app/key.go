package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"personal-workspace/internal/app/config"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
	"personal-workspace/sns"
)

// openKey loads the credential key. While no credential is stored it makes a
// missing one, and replaces a useless one in the data directory: nothing needs
// the old key, and the person need not know that there is one.
func openKey(ctx context.Context, db *sqlite.DB, c Config) (*secret.Key, error) {
	key, loadErr := loadKey(c.keyFile())
	if key != nil {
		return key, sns.CheckSecrets(ctx, db, key)
	}
	stored, err := sns.HasSecrets(ctx, db)
	switch {
	case err != nil:
		return nil, err
	case stored && loadErr == nil:
		return nil, sns.CheckSecrets(ctx, db, nil)
	case loadErr == nil:
		return createKey(c.keyFile())
	case errors.Is(loadErr, errExposed):
		return nil, loadErr
	case stored:
		return nil, fault.New(fault.CodeOf(loadErr), "%s; put back the right file, readable by its owner alone, or, if it is lost, run: workspace connections forget-secrets", fault.From(loadErr).Message).Wrap(loadErr)
	case c.keyFile() != c.ownKeyFile():
		return nil, fault.Invalid("credential-key-file", "%s; no credential is stored, so write a new key to it (head -c 32 /dev/urandom | base64), or remove the file and the setting that names it.", fault.From(loadErr).Message).Wrap(loadErr)
	}
	return replaceKey(ctx, db, c)
}

// errExposed is the cause of refusing a key file that may be the right one, but
// that others can read.
var errExposed = errors.New("others can read the key")

// loadKey returns nil for a missing file. The message of its error is the first
// part of a sentence, except that of errExposed, which is a whole one.
func loadKey(path string) (*secret.Key, error) {
	key, err := secret.LoadKey(path)
	switch {
	case err == nil:
		return key, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, fs.ErrPermission):
		return nil, fault.New(fault.Forbidden, "This user may not read the credential key file %s", path).Wrap(err)
	case fault.CodeOf(err) == fault.Forbidden:
		return nil, fault.New(fault.Forbidden, "%s", err).Wrap(errors.Join(errExposed, err))
	case fault.CodeOf(err) == fault.InvalidArguments:
		return nil, fault.Invalid("credential-key-file", "The credential key file %s does not hold 32 bytes in base64", path).Wrap(err)
	}
	return nil, fault.Invalid("credential-key-file", "The credential key file %s cannot be read: %s", path, fault.FileReason(err)).Wrap(err)
}

// createKey makes the key file. Another process may be faster; then its key is
// the key.
func createKey(path string) (*secret.Key, error) {
	key, err := secret.CreateKey(path)
	if errors.Is(err, fs.ErrExist) {
		return secret.LoadKey(path)
	}
	if err != nil {
		return nil, fault.Invalid("credential-key-file", "The credential key file %s cannot be made: %s. Set WORKSPACE_CREDENTIAL_KEY_FILE to a file that this user may write.", path, fault.FileReason(err)).Wrap(err)
	}
	return key, nil
}

// replaceKey moves the useless key file aside and makes a new key. The write
// transaction keeps other processes from doing the same, and from storing a
// credential meanwhile.
func replaceKey(ctx context.Context, db *sqlite.DB, c Config) (key *secret.Key, err error) {
	path := c.ownKeyFile()
	err = db.Write(ctx, func(*sqlite.Tx) error {
		if key, err = loadKey(path); key != nil {
			return nil // another process has made it
		}
		kept, err := moveAside(path, c.Now().UTC().Format("20060102T150405.000Z"))
		if err != nil {
			return fault.Invalid("credential-key-file", "The credential key file %s is of no use and cannot be moved aside: %s. Remove it, and a new one is made.", path, fault.FileReason(err)).Wrap(err)
		}
		c.Log.WarnContext(ctx, "the credential key file was of no use and no credential is stored, so a new key was made", "kept", kept)
		key, err = createKey(path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return key, sns.CheckSecrets(ctx, db, key)
}

// moveAside gives the file a name of its own; "" when there is none any more.
func moveAside(path, suffix string) (kept string, err error) {
	kept = path + ".replaced-" + suffix
	for n := 2; exists(kept); n++ {
		kept = fmt.Sprintf("%s.replaced-%s-%d", path, suffix, n)
	}
	err = os.Rename(path, kept)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return kept, err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ownKeyFile is the key file that the workspace itself makes.
func (c Config) ownKeyFile() string { return filepath.Join(c.DataDir, config.KeyFileName) }

func (c Config) keyFile() string {
	if c.KeyFile != "" {
		return c.KeyFile
	}
	return c.ownKeyFile()
}
