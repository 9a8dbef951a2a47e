package sns

import "context"

// Authorizer is a Provider whose network gives credentials by OAuth 2 with PKCE.
// It sends nothing but what a login and its end need. All addresses it uses are
// of the account's origin.
type Authorizer interface {
	// Register proves that the account's server is one of the network and makes
	// the workspace known to it, with read scopes only. The account needs no
	// credential.
	Register(ctx context.Context, a Account, redirectURI string) (App, error)
	// AuthorizeURL is the page of the server that asks the person.
	AuthorizeURL(app App, r AuthorizeRequest) string
	// Exchange trades a code for a token. A code that the server does not accept
	// is invalid_arguments for the field "code"; a program that it does not know
	// any more is unauthorized. The request is sent once.
	Exchange(ctx context.Context, a Account, app App, code, verifier string) (Grant, error)
	// Revoke makes a token invalid.
	Revoke(ctx context.Context, a Account, app App, token string) error
}

// App is the workspace as a server knows it.
type App struct {
	ClientID, ClientSecret string
	// RedirectURI is where the server sends the browser back to, or OutOfBand.
	RedirectURI string
	// Scopes are what the workspace asks for, all of them for reading.
	Scopes []string
	// AuthorizeURL, TokenURL and RevokeURL are of the server's origin.
	AuthorizeURL, TokenURL, RevokeURL string
}

// AuthorizeRequest is what the address of one login carries.
type AuthorizeRequest struct {
	// State comes back with the code; Challenge is the S256 challenge of the
	// verifier.
	State, Challenge string
	// Choose asks the server to let the person choose another account than the
	// one their browser is signed in with.
	Choose bool
}

// Grant is a token that a server gave.
type Grant struct {
	Token string
	// Scopes are what the token may do, nil where the server does not tell.
	Scopes []string
}

// TagLister is a Provider that tells which hashtags the account follows, without
// their sign.
type TagLister interface {
	FollowedTags(ctx context.Context, a Account) ([]string, error)
}

// LimitObserver is a Gate that also wants to know how many requests the upstream
// allows in all.
type LimitObserver interface {
	ObserveLimit(limit int)
}
