package sns

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/singleflight"

	"personal-workspace/internal/egress"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
	"personal-workspace/internal/secret"
	"personal-workspace/internal/sqlite"
)

// Config has the service's parts. DB and Ledger are required.
type Config struct {
	DB     *sqlite.DB
	Ledger *ledger.Ledger
	// Key opens the stored credentials; nil is enough for everything that
	// needs none.
	Key *secret.Key
	// Providers has one provider per network that can be read.
	Providers map[Network]Provider
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// NewID makes an id from a prefix such as "conn"; nil means ledger.NewID.
	NewID func(prefix string) string
	// Log receives warnings; nil discards them.
	Log *slog.Logger
	// MastodonOrigins are origins the operator configured: they are reached as
	// they are.
	MastodonOrigins []string
	// MastodonOnly closes every origin but MastodonOrigins and those named at
	// the host's shell.
	MastodonOnly bool
	// TwitterRelays are the origins of relays the operator configured: only they,
	// and those named at the host's shell, are reached.
	TwitterRelays []string
	// ToolTimeout is the longest a caller waits for an upstream; 0 means 20 s.
	ToolTimeout time.Duration
}

// defaultToolTimeout is what callers of tools are promised.
const defaultToolTimeout = 20 * time.Second

// Service is the one way to connections and posts. It is safe for concurrent
// use, also by several processes over one database: what one of them remembers of
// a connection beside its request budget are answers, for minutes.
type Service struct {
	db          *sqlite.DB
	ledger      *ledger.Ledger
	key         *secret.Key
	providers   map[Network]Provider
	now         func() time.Time
	newID       func(string) string
	log         *slog.Logger
	origins     []string
	relays      []string
	only        bool
	toolTimeout time.Duration
	limits      limits

	cursors cursors
	gates   gates
	life    *life
	pages   *flights[fetched]
	lists   *flights[[]List]
	threads *flights[Thread]
	tags    *flights[[]string]
	posts   *flights[Post]
	queue   *queue
	watches *watches
	// logins are those that end at this moment.
	logins singleflight.Group
}

// limits bound the store. They are fields so that tests can lower them.
type limits struct {
	// entries of one timeline.
	entries int
	// posts in all, and their age.
	posts int
	age   time.Duration
	// batch is how many rows one transaction of a clean-up removes.
	batch int
}

// New returns a service; ctx is that of reading its key. Its background work
// starts with Run.
func New(ctx context.Context, c Config) (*Service, error) {
	c.defaults()
	s := &Service{
		db: c.DB, ledger: c.Ledger, key: c.Key, providers: c.Providers,
		now: c.Now, newID: c.NewID, log: c.Log,
		only: c.MastodonOnly, toolTimeout: c.ToolTimeout,
		limits:  limits{entries: 2000, posts: 500_000, age: 400 * 24 * time.Hour, batch: 500},
		gates:   gates{now: c.Now, all: map[string]*gate{}},
		life:    newLife(),
		queue:   newQueue(),
		watches: newWatches(c.Now),
	}
	var err error
	if s.origins, err = canonicalOrigins("WORKSPACE_MASTODON_ORIGINS", c.MastodonOrigins); err != nil {
		return nil, err
	}
	if s.relays, err = canonicalOrigins("WORKSPACE_TWITTER_RELAY_URL", c.TwitterRelays); err != nil {
		return nil, err
	}
	s.pages = newFlights(s.now, s.life, fetched.keep)
	s.lists = newFlights(s.now, s.life, func([]List) time.Duration { return offeredFor })
	s.threads = newFlights(s.now, s.life, func(Thread) time.Duration { return 0 })
	s.tags = newFlights(s.now, s.life, func([]string) time.Duration { return 0 })
	s.posts = newFlights(s.now, s.life, func(Post) time.Duration { return 0 })
	if s.cursors.key, err = s.cursorKey(ctx); err != nil {
		return nil, fmt.Errorf("read the key of the cursors: %w", err)
	}
	return s, nil
}

func canonicalOrigins(setting string, list []string) (out []string, err error) {
	for _, raw := range list {
		o, err := egress.CanonicalOrigin(raw)
		if err != nil {
			return nil, fault.Invalid(setting, "%s has an entry that is no origin; write each as https://host.", setting).Wrap(err)
		}
		out = append(out, o)
	}
	return out, nil
}

func (c *Config) defaults() {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewID == nil {
		c.NewID = ledger.NewID
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.ToolTimeout == 0 {
		c.ToolTimeout = defaultToolTimeout
	}
}

// Close ends all fetches and waits for them. Run calls it; a program that never
// calls Run calls Close.
func (s *Service) Close() { s.life.end() }

// account returns what a provider may know of a connection without its
// credential.
func (s *Service) account(c Connection) Account {
	return Account{
		ConnectionID: c.ID,
		Origin:       c.Origin,
		Operator:     c.Operator || slices.Contains(s.listed(c.Network), c.Origin),
		Profile:      c.Profile,
		AccountID:    c.AccountID,
		Gate:         s.gates.of(c.ID),
		Memory:       memory{s, c.Network, c.Origin, c.Profile},
	}
}

// listed are the origins of a network that the operator configured.
func (s *Service) listed(n Network) []string {
	if n == Twitter {
		return s.relays
	}
	return s.origins
}

// open returns the provider and the account, with its credential, that a read
// of the connection uses.
func (s *Service) open(ctx context.Context, c Connection) (Provider, Account, error) {
	if c.State == Disabled {
		return nil, Account{}, fault.New(fault.Forbidden, "%s is switched off; switch the connection on to read it.", c.Account)
	}
	if c.StateCode == CodeOtherAccount {
		return nil, Account{}, fault.New(fault.Unauthorized, "The profile %s is signed in to X as another account than %s; sign in as %[2]s there, then test the connection.", c.Profile, c.Account).
			With(fault.DetailReason, CodeOtherAccount)
	}
	return s.reach(ctx, c)
}

// reach is open for a connection that may be switched off.
func (s *Service) reach(ctx context.Context, c Connection) (Provider, Account, error) {
	p := s.providers[c.Network]
	if p == nil {
		return nil, Account{}, noProvider(c)
	}
	a := s.account(c)
	if s.only && !a.Operator && c.Network == Mastodon {
		return nil, Account{}, blockedByOnly(c.Origin)
	}
	if !c.hasSecret() {
		return p, a, nil
	}
	token, err := s.token(ctx, c)
	a.Token = token
	return p, a, err
}

// token opens the connection's credential.
func (s *Service) token(ctx context.Context, c Connection) (string, error) {
	sealed, err := s.findSecret(ctx, c.ID, fieldToken)
	if sqlite.IsNoRows(err) {
		return "", fault.New(fault.Unauthorized, "The credential of %s is not stored any more; sign in to it again.", c.Account)
	}
	if err != nil {
		return "", err
	}
	// Signing in again would not help where the key is the trouble.
	if s.key == nil {
		return "", missingKey().With(fault.DetailReconnect, false)
	}
	plain, err := s.key.Open(c.ID, fieldToken, sealed)
	if err != nil {
		return "", fault.From(err).With(fault.DetailReconnect, false)
	}
	return string(plain), nil
}

// failed makes the fault of a read of the connection: it says which connection
// it was and, for a refused credential, that signing in again helps.
func (s *Service) failed(err error, c Connection) *fault.Error {
	if errors.Is(err, errTimeout) {
		return fault.New(fault.Timeout, "%s has not answered in time; the workspace goes on waiting for it, ask again in a few seconds.", hostOf(c.Origin)).
			RetryAt(s.now().Add(5*time.Second)).With(fault.DetailConnectionID, c.ID)
	}
	f := fault.From(err).With(fault.DetailConnectionID, c.ID)
	if _, said := f.Details[fault.DetailReconnect]; f.Code == fault.Unauthorized && !said {
		f = f.With(fault.DetailReconnect, true)
	}
	return f
}
