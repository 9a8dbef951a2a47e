package view

// ConnectionsPage is the list of accounts.
type ConnectionsPage struct {
	Page
	// Notice says what was just done, nil for nothing.
	Notice   *ConnectionNotice
	Accounts []ConnectionCard
}

// ConnectionPage is one account.
type ConnectionPage struct {
	Page
	Account ConnectionCard
	// Label is what stands in the field of the name; Problem is about it.
	Label, Problem string
}

// ConnectionNotice says what was done, or what is wrong, with one link to go on.
type ConnectionNotice struct {
	// Kind is good, warn or bad and only chooses a colour.
	Kind string
	Text string
	// Next, when set, is where to go on to.
	NextText, Next string
}

// ConnectionCard is an account with what the workspace knows about it.
type ConnectionCard struct {
	ID, Label string
	// Account is the handle, Host the server, Network the network's own name.
	Account, Host, Network string
	Tone                   Tone
	// Notice says what was just done with it, nil for nothing.
	Notice *ConnectionNotice
	// State is in words; Mood is good, warn or bad and only chooses a colour.
	State, Mood string
	// Advice says what to do about the state, "" for nothing.
	Advice string
	// Failure is the last error, nil for none.
	Failure *ConnectionFailure
	Facts   []Fact
	Uses    []ColumnUse
	// Login: the account has a credential that can be given anew; SignIn: it
	// needs one. Paused: it is not read.
	Login, SignIn, Paused bool
	// Alone: the card is the page of the account.
	Alone bool
}

// back tells the forms of a card where to return to.
func (c ConnectionCard) back() string {
	if c.Alone {
		return ""
	}
	return "list"
}

// ConnectionFailure is what an account's server answered last.
type ConnectionFailure struct {
	Text string
	At   *Time
	// Over: the account has worked since.
	Over bool
	// RetryAt is when the next try makes sense, nil when it is not known.
	RetryAt *Time
}

// Fact is one line about an account: a name and what is known.
type Fact struct {
	Name string
	Text string
	// At stands behind Text, nil for none.
	At *Time
}

// ColumnUse is a column that reads an account.
type ColumnUse struct {
	Deck, Column string
	URL          string
}

// The ways to connect an account.
const (
	// ByLogin signs in with the server.
	ByLogin = "login"
	// ByToken takes a token that the person pastes.
	ByToken = "token"
	// ByPublic reads public timelines without an account.
	ByPublic = "public"
	// ByRelay reads X through a profile of a relay.
	ByRelay = "relay"
)

// ConnectPage is the form that adds an account, or signs in to one again.
type ConnectPage struct {
	Page
	// Again is the account to sign in to again, nil when one is added.
	Again *ConnectionCard
	// Action takes the form.
	Action string
	// Origin, Way and Code are what was typed: the server's address, one of
	// the ways, and whether to get a code to paste.
	Origin, Way string
	Code        bool
	// Callback is the address that the server will send the person back to.
	Callback string
	// Relays are the relays that X can be read through, none when it cannot.
	Relays []Option
	// Profile is what was typed: the name of the relay's profile. Profiles are
	// those to choose from, as far as the relays tell them; Offers says in words
	// which relay has which, or why one does not tell.
	Profile  string
	Profiles []string
	Offers   []string
	// Field is the input that Problem is about: origin, token, relay, profile or
	// "".
	Field, Problem string
	// Teach says what an assistant needs; the page is somebody's first.
	Teach bool
}

// LoginWaitPage stands between the workspace and the server's own page.
type LoginWaitPage struct {
	Page
	// Host is the server, Authorize its page that asks.
	Host, Authorize string
	// Code: the server shows a code that is to be pasted here.
	Code bool
	// Restart takes the form that begins again with a code; Origin is its
	// server.
	Restart, Origin string
	// Callback is the address that the server sends the person back to.
	Callback string
	// Until is when the sign-in ends; Cancel leads away from it.
	Until  *Time
	Cancel string
	// State belongs to the code's form.
	State string
	// Problem is about the code.
	Problem string
}

// LoginFailedPage says why a sign-in did not come to an end.
type LoginFailedPage struct {
	Page
	Text string
	// Again begins anew.
	Again string
}

// DisconnectPage asks before an account is removed.
type DisconnectPage struct {
	Page
	Account ConnectionCard
	// Revoke says what happens to the credential.
	Revoke string
}
