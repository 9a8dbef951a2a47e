package sns

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
)

// ProfileLister is a Provider whose upstream reads as one of several profiles.
type ProfileLister interface {
	// Profiles returns the names of the profiles at the account's origin.
	Profiles(ctx context.Context, a Account) ([]string, error)
}

var profilePattern = regexp.MustCompile(`^[!-~](?:[ -~]{0,62}[!-~])?$`)

// ValidProfile reports whether a relay can have a profile of this name: 1 to 64
// signs of ASCII.
func ValidProfile(name string) bool { return profilePattern.MatchString(name) }

// hasSecret reports whether the connection reads with a credential that the
// workspace keeps. On X the relay keeps it.
func (c Connection) hasSecret() bool { return c.Login && c.Network != Twitter }

// AddTwitter is the input of Service.AddTwitter.
type AddTwitter struct {
	// Relay is the relay's address, such as http://127.0.0.1:6900.
	Relay string
	// Profile is the name of one of the relay's profiles.
	Profile string
	// Label is at most MaxLabel code points; "" takes the account's name.
	Label string
	// Operator: the relay was named at the host's shell. Others must be configured.
	Operator bool
}

// AddTwitter asks X through the relay who is signed in to the profile, and stores
// the connection only when it answers. An account that is connected through the
// relay already gets the profile and keeps its id.
func (s *Service) AddTwitter(ctx context.Context, in AddTwitter) (Connection, error) {
	c, err := s.newTwitter(in)
	if err != nil {
		return Connection{}, err
	}
	label, err := normalizeLabel(in.Label)
	if err != nil {
		return Connection{}, err
	}
	defer s.gates.forget(c.ID)
	who, err := s.verify(ctx, c, "")
	if err != nil {
		return Connection{}, err
	}
	c.Account, c.AccountID, c.Login = who.Account, who.AccountID, true
	c.Label = who.label(label)
	return s.saveConnection(ctx, c, credential{}, label != "")
}

// newTwitter starts a connection from the relay and the rules about it.
func (s *Service) newTwitter(in AddTwitter) (Connection, error) {
	origin, err := s.relayOrigin(in.Relay, in.Operator)
	if err != nil {
		return Connection{}, err
	}
	profile := strings.TrimSpace(in.Profile)
	if !ValidProfile(profile) {
		return Connection{}, fault.Invalid("profile", "The profile must be the name of one of the relay's profiles, 1 to 64 plain characters.")
	}
	now := s.now()
	return Connection{
		ID: s.newID("conn"), Network: Twitter, App: string(Twitter), Origin: origin, Profile: profile, Operator: in.Operator,
		State: Ready, CreatedAt: now, UpdatedAt: now,
	}, nil
}

// relayOrigin is the address of a relay in its one form. Whoever reaches a relay
// can write as its accounts, so that only the operator names one.
func (s *Service) relayOrigin(raw string, operator bool) (string, error) {
	origin, err := egress.CanonicalOrigin(raw)
	if err != nil {
		return "", fault.Invalid("relay", "The relay's address is not one; give it as http://host:port, without a path.").Wrap(err)
	}
	if !operator && !slices.Contains(s.relays, origin) {
		return "", fault.New(fault.BlockedOrigin, "%s is not a configured relay; have the operator add it to WORKSPACE_TWITTER_RELAY_URL.", origin).
			With(fault.DetailField, "relay")
	}
	return origin, nil
}

// Relays returns the configured relays, in the operator's order.
func (s *Service) Relays() []string { return slices.Clone(s.relays) }

// ListProfiles asks a configured relay which profiles it has. That a relay names a
// profile does not say that it is signed in.
func (s *Service) ListProfiles(ctx context.Context, relay string) ([]string, error) {
	origin, err := s.relayOrigin(relay, false)
	if err != nil {
		return nil, err
	}
	c := Connection{ID: s.newID("conn"), Network: Twitter, Origin: origin}
	p, ok := s.providers[Twitter].(ProfileLister)
	if !ok {
		return nil, fault.New(fault.Unsupported, "This workspace is not set up to read X.").With(fault.DetailCapability, string(Twitter))
	}
	defer s.gates.forget(c.ID)
	ctx, cancel := context.WithTimeout(ctx, s.toolTimeout)
	defer cancel()
	names, err := p.Profiles(ctx, s.account(c))
	if err != nil {
		return nil, verifyFault(fault.From(err), c)
	}
	return names, nil
}
