package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// The browser's files. static/dist is made by the asset build; a program built
// without it works and says so on every page.
//
//go:embed all:static
var embedded embed.FS

// static serves files under names that hold a hash of their content, so that a
// browser may keep them for ever.
type static struct {
	byPath map[string]*asset
}

type asset struct {
	name, contentType string
	plain             []byte
	// zipped is made at the first use: a start need not wait for it.
	zipped func() []byte
}

func loadStatic() (*static, error) {
	s := &static{byPath: map[string]*asset{}}
	err := fs.WalkDir(embedded, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		b, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		s.add(path.Base(name), b)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the embedded files: %w", err)
	}
	return s, nil
}

func (s *static) add(name string, content []byte) {
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	at := "/static/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:8]) + ext
	s.byPath[at] = &asset{
		name: name, contentType: mime.TypeByExtension(ext), plain: content,
		zipped: sync.OnceValue(func() []byte { return compress(content, gzip.BestCompression) }),
	}
}

func compress(b []byte, level int) []byte {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		panic(err) // the level is one of the package's constants
	}
	z.Write(b) //nolint:errcheck // a buffer takes everything
	z.Close()  //nolint:errcheck // as above
	return out.Bytes()
}

// built reports whether the script and the styles are there.
func (s *static) built() bool {
	u := s.urls()
	return u["app.js"] != "" && u["app.css"] != ""
}

// urls maps the files' names to their paths.
func (s *static) urls() map[string]string {
	m := make(map[string]string, len(s.byPath))
	for at, a := range s.byPath {
		m[a.name] = at
	}
	return m
}

func (s *static) serve(w http.ResponseWriter, r *http.Request) error {
	a, ok := s.byPath[r.URL.Path]
	if !ok {
		return errNoPage
	}
	head := w.Header()
	head.Set("Content-Type", a.contentType)
	head.Set("Cache-Control", "public, max-age=31536000, immutable")
	head.Set("Vary", "Accept-Encoding")
	body := a.plain
	if acceptsGzip(r) {
		head.Set("Content-Encoding", "gzip")
		body = a.zipped()
	}
	head.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body)
	return nil
}
