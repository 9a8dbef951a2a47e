package snstest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Decision is what a person does on the page of a server that asks them.
type Decision struct {
	// Account is whom they choose, "" is the one the page has chosen.
	Account string
	// Deny: they decline.
	Deny bool
}

// Decide goes to the page of a login at address as a browser without script
// does, decides and returns where the server leads: the address to come back to
// with its query, or "?code=…" for a code that the page shows.
func Decide(ctx context.Context, address string, d Decision) (back *url.URL, err error) {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	defer client.CloseIdleConnections()
	page, _, err := browse(ctx, client, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	form := fields(page)
	if d.Account != "" {
		form.Set("account", d.Account)
	}
	form.Set("decision", "allow")
	if d.Deny {
		form.Set("decision", "deny")
	}
	page, location, err := browse(ctx, client, http.MethodPost, address, form)
	if err != nil {
		return nil, err
	}
	if location != "" {
		return url.Parse(location)
	}
	code := textOf(find(page, "code"))
	if code == "" {
		return nil, errors.New("the page leads nowhere and shows no code")
	}
	return &url.URL{RawQuery: url.Values{"code": {code}}.Encode()}, nil
}

func browse(ctx context.Context, client *http.Client, method, address string, form url.Values) (page *html.Node, location string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, "", err
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	if res.StatusCode >= 400 {
		return nil, "", fmt.Errorf("the page of the login answered %s", res.Status)
	}
	page, err = html.Parse(io.LimitReader(res.Body, 1<<20))
	return page, res.Header.Get("Location"), err
}

// fields are the values that the page's form sends on its own.
func fields(page *html.Node) url.Values {
	form := url.Values{}
	for n := range page.Descendants() {
		switch n.Data {
		case "input":
			form.Set(attr(n, "name"), attr(n, "value"))
		case "option":
			if _, selected := lookup(n, "selected"); selected && n.Parent != nil {
				form.Set(attr(n.Parent, "name"), attr(n, "value"))
			}
		}
	}
	return form
}

func find(page *html.Node, tag string) *html.Node {
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && n.Data == tag {
			return n
		}
	}
	return nil
}

func textOf(n *html.Node) string {
	if n == nil || n.FirstChild == nil {
		return ""
	}
	return n.FirstChild.Data
}

func attr(n *html.Node, name string) string {
	value, _ := lookup(n, name)
	return value
}

func lookup(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}
