package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"unicode"

	"personal-workspace/internal/app"
	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// newAccount is what connections add was given.
type newAccount struct {
	origin, relay, profile, label string
	tokenFile                     *string // nil without the flag, which is no empty one
	asJSON                        bool
}

func connectionsAdd() command {
	var n newAccount
	return command{
		name: "connections add", operands: "mastodon|twitter", want: 1, settings: storeSettings,
		summary: "Connects an account with a read-only token, a public server without one, or X through a relay.",
		flags: func(f *flag.FlagSet) {
			f.StringVar(&n.origin, "origin", "", "mastodon: address of the server, such as https://mastodon.example (`URL`)")
			f.Func("token-file", "mastodon: `FILE` that holds the access token; - reads standard input", func(v string) error {
				n.tokenFile = &v
				return nil
			})
			f.StringVar(&n.relay, "relay", "", "twitter: address of the relay, such as http://127.0.0.1:6900 (`URL`)")
			f.StringVar(&n.profile, "profile", "", "twitter: `NAME` of the relay's profile that is signed in")
			f.StringVar(&n.label, "label", "", "`NAME` to show; the account's name otherwise")
			f.BoolVar(&n.asJSON, "json", false, "print the connection as one JSON object")
		},
		run: func(ctx context.Context, in *invocation) error {
			switch in.operands[0] {
			case "mastodon":
				return n.addMastodon(ctx, in)
			case "twitter":
				return n.addTwitter(ctx, in)
			}
			return addUsage("there is no network %q; write mastodon or twitter.", in.operands[0])
		},
	}
}

func addUsage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), "usage: " + connectionsAdd().line()}
}

func (n *newAccount) addMastodon(ctx context.Context, in *invocation) error {
	switch {
	case n.relay != "" || n.profile != "":
		return addUsage("connections add mastodon has no --relay and no --profile; they are for twitter.")
	case n.origin == "":
		return addUsage("connections add mastodon needs the server's address: --origin https://mastodon.example")
	}
	token, err := in.readToken(n.tokenFile)
	if err != nil {
		return err
	}
	return in.withStore(ctx, app.OpenStore, func(ctx context.Context, s *app.Store) error {
		c, err := s.Posts.AddMastodon(ctx, sns.AddMastodon{Origin: n.origin, Token: token, Label: n.label, Operator: true})
		if fault.CodeOf(err) == fault.Unauthorized && token != "" {
			return fault.New(fault.Unauthorized, "%s does not accept the token %s; make a new one there and try again.", n.origin, placeOfToken(*n.tokenFile)).Wrap(err)
		}
		return n.added(in, c, err)
	})
}

func (n *newAccount) addTwitter(ctx context.Context, in *invocation) error {
	switch {
	case n.origin != "" || n.tokenFile != nil:
		return addUsage("connections add twitter has no --origin and no --token-file; X is read with --relay and --profile.")
	case n.relay == "":
		return addUsage("connections add twitter needs the relay's address: --relay http://127.0.0.1:6900")
	case n.profile == "":
		return addUsage("connections add twitter needs the name of the relay's profile: --profile NAME")
	}
	return in.withStore(ctx, app.OpenStore, func(ctx context.Context, s *app.Store) error {
		c, err := s.Posts.AddTwitter(ctx, sns.AddTwitter{Relay: n.relay, Profile: n.profile, Label: n.label, Operator: true})
		return n.added(in, c, err)
	})
}

// added says what was connected.
func (n *newAccount) added(in *invocation, c sns.Connection, err error) error {
	if err != nil {
		return err
	}
	for _, w := range c.Warnings {
		fmt.Fprintf(in.stderr, "workspace: %s\n", oneLine(w))
	}
	if n.asJSON {
		return in.printJSON(c)
	}
	in.print("Added %s as %s (%s).\n", oneLine(c.Account), c.ID, oneLine(c.Label))
	return nil
}

// maxToken is far longer than any token.
const maxToken = 4096

// readToken reads the token from the file, "" without one. White space around
// it is dropped; inside it is a mistake, such as a file with two lines. So is an
// empty name, such as a shell variable that is not set: it must not connect the
// server without a login.
func (in *invocation) readToken(name *string) (string, error) {
	if name == nil {
		return "", nil
	}
	file := *name
	if file == "" {
		return "", fault.Invalid("token-file", "The value of --token-file is empty; name the file that holds the access token, or leave the flag out to read without a login.")
	}
	r := in.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", fault.Invalid("token-file", "The token file %s cannot be read: %s.", file, fault.FileReason(err)).Wrap(err)
		}
		defer f.Close()
		r = f
	}
	b, err := io.ReadAll(io.LimitReader(r, maxToken+1))
	if err != nil {
		return "", fault.Invalid("token-file", "The %s cannot be read: %s.", nameOfToken(file), fault.FileReason(err)).Wrap(err)
	}
	return checkToken(file, strings.TrimSpace(string(b)))
}

// nameOfToken and placeOfToken name what --token-file says: a file, or standard
// input for "-".
func nameOfToken(file string) string {
	if file == "-" {
		return "token on standard input"
	}
	return "token file " + file
}

func placeOfToken(file string) string {
	if file == "-" {
		return "on standard input"
	}
	return "in " + file
}

func checkToken(file, token string) (string, error) {
	file = nameOfToken(file)
	switch {
	case token == "":
		return "", fault.Invalid("token-file", "The %s is empty; put the access token in it.", file)
	case len(token) > maxToken:
		return "", fault.Invalid("token-file", "The %s is longer than %d bytes; it must hold the access token and nothing else.", file, maxToken)
	case strings.ContainsFunc(token, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }):
		return "", fault.Invalid("token-file", "The %s has spaces, line breaks or unprintable characters inside the token; it must hold the access token and nothing else.", file)
	}
	return token, nil
}

func connectionsList() command {
	var asJSON bool
	return command{
		name: "connections list", settings: storeSettings,
		summary: "Lists the connected accounts.",
		flags: func(f *flag.FlagSet) {
			f.BoolVar(&asJSON, "json", false, "print one JSON object")
		},
		run: func(ctx context.Context, in *invocation) error {
			return in.withStore(ctx, app.OpenStore, func(ctx context.Context, s *app.Store) error {
				list, err := s.Posts.ListConnections(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return in.printJSON(map[string]any{"connections": list})
				}
				return in.printConnections(list)
			})
		},
	}
}

func (in *invocation) printConnections(list []sns.Connection) error {
	if len(list) == 0 {
		in.print("No accounts are connected. Add one: workspace connections add mastodon --origin https://mastodon.example --token-file FILE\n")
		return nil
	}
	w := tabwriter.NewWriter(in.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNETWORK\tACCOUNT\tLABEL\tSTATE")
	for _, c := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.ID, c.Network, oneLine(c.Account), oneLine(c.Label), stateOf(c))
	}
	return w.Flush()
}

// stateOf is a connection's state, with the reason where there is one.
func stateOf(c sns.Connection) string {
	if c.StateCode == "" {
		return string(c.State)
	}
	return string(c.State) + " (" + c.StateCode + ")"
}

// oneLine keeps text that a server sent from moving the terminal's cursor.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}

func connectionsRemove() command {
	return command{
		name: "connections remove", operands: "ID", want: 1, settings: storeSettings,
		summary: "Revokes an account's token where it can, and removes it with its stored posts; decks keep their columns.",
		run: func(ctx context.Context, in *invocation) error {
			return in.withStore(ctx, app.OpenStore, func(ctx context.Context, s *app.Store) error {
				id := in.operands[0]
				c, err := s.Posts.GetConnection(ctx, id)
				if err != nil {
					return notConnected(id, err)
				}
				revoked, err := s.Posts.Disconnect(ctx, id)
				if err != nil {
					return notConnected(id, err)
				}
				in.print("Removed %s. Decks keep their columns.\n", id)
				switch {
				case revoked:
					in.print("Its token is revoked.\n")
				case c.Login && c.Network != sns.Twitter:
					in.print("Its token may still be valid; revoke it in the settings of %s.\n", oneLine(c.Origin))
				}
				return nil
			})
		},
	}
}

// notConnected names the id in a fault about a connection that is not there.
func notConnected(id string, err error) error {
	if fault.CodeOf(err) == fault.NotFound {
		return fault.Missing("connection", "There is no connection %q; see: workspace connections list", id).Wrap(err)
	}
	return err
}

func connectionsForgetSecrets() command {
	return command{
		name: "connections forget-secrets", settings: storeSettings,
		summary: "Removes every stored credential, for when the credential key is lost; each account must sign in again.",
		run: func(ctx context.Context, in *invocation) error {
			return in.withStore(ctx, app.OpenKeyless, func(ctx context.Context, s *app.Store) error {
				n, err := s.Posts.ForgetSecrets(ctx)
				if err != nil {
					return err
				}
				accounts, again := "accounts", "each"
				if n == 1 {
					accounts, again = "account", "it"
				}
				in.print("Removed the credentials of %d %s; %s must sign in again. Decks and posts are kept.\n", n, accounts, again)
				return nil
			})
		},
	}
}

// printJSON prints exactly one object and a line break.
func (in *invocation) printJSON(v any) error {
	e := json.NewEncoder(in.stdout)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
