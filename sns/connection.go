package sns

import "time"

// State says whether a connection can be read.
type State string

// The states of a connection.
const (
	// Ready: the account can be read as far as the workspace knows.
	Ready State = "ready"
	// ReauthRequired: the network refused the credential, or it was forgotten.
	ReauthRequired State = "reauth_required"
	// Disabled: the person switched the connection off.
	Disabled State = "disabled"
	// Failed: the connection cannot work as it is configured.
	Failed State = "error"
)

// Codes that say why a connection has its state.
const (
	// CodeTokenRevoked: the network answered that the credential is not valid.
	CodeTokenRevoked = "token_revoked"
	// CodeSignedOut: nobody is signed in to X in the relay's profile any more.
	CodeSignedOut = "signed_out"
	// CodeLocked: X has locked or suspended the account.
	CodeLocked = "account_locked"
	// CodeUnknownProfile: the relay has no profile of the connection's name any more.
	CodeUnknownProfile = "unknown_profile"
	// CodeOtherAccount: the relay's profile is signed in to X as another account by
	// now. Nothing is read until it is the connection's again.
	CodeOtherAccount = "other_account"
	// CodeSecretsForgotten: the credentials were removed from the workspace.
	CodeSecretsForgotten = "secrets_forgotten"
)

// Limits of connections.
const (
	// MaxLabel is the longest label, in code points.
	MaxLabel = 80
	// MaxConnections is the most connections there can be.
	MaxConnections = 100
	// Colours is how many colours tell connections apart.
	Colours = 10
)

// Connection is one account on one network, or one server read without login.
// Its JSON is what assistants see: it names the account and holds nothing of
// its credential.
type Connection struct {
	// ID is conn_…, made by the workspace.
	ID      string  `json:"id"`
	Network Network `json:"network"`
	// Account is @user@host, or the host alone without login.
	Account string `json:"account"`
	// Label is what the person calls it, 1 to MaxLabel code points.
	Label string `json:"label"`
	State State  `json:"state"`
	// StateCode says why a connection is not ready; "" when there is no more to say.
	StateCode string `json:"-"`
	// App is the shared definition the connection is an account of; for the
	// networks it is their name.
	App string `json:"-"`
	// Origin is scheme://host[:port] of the server, on X of the relay.
	Origin string `json:"-"`
	// AccountID is the account's id at the network, "" without login.
	AccountID string `json:"-"`
	// Login: the connection reads as an account. It has, or had, a credential, or on
	// X a profile of a relay that is signed in.
	Login bool `json:"-"`
	// Profile is the name of the relay's profile that reads; "" but on X.
	Profile string `json:"-"`
	// Operator: the origin was named at the host's shell and is reached as it is.
	Operator bool `json:"-"`
	// Colour is one of 0 to Colours-1. It stays the account's, also when it is
	// removed and connected again.
	Colour int `json:"-"`
	// Warnings are sentences about the credential that AddMastodon just stored;
	// a connection that is read later has none.
	Warnings  []string  `json:"-"`
	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`

	// revision grows with each change of the row.
	revision int64
}

// AddMastodon is the input of Service.AddMastodon.
type AddMastodon struct {
	// Origin is the server's address, such as https://mastodon.example.
	Origin string
	// Token is a bearer token with read scopes; "" reads public timelines
	// without login. White space around it is dropped.
	Token string
	// Label is at most MaxLabel code points; "" takes the account's name.
	Label string
	// Operator: the origin was named at the host's shell. It is reached as it
	// is, private addresses and http included; a chosen one must be public https.
	Operator bool
}
