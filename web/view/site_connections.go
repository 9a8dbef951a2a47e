package view

// NewConnection is the page that adds an account.
func (s Site) NewConnection() string { return s.join("connections", "new") }

// ConnectionsAfter is the list of accounts after something was done to one of
// them; done is a word of the page, id may be "".
func (s Site) ConnectionsAfter(done, id string) string {
	path := query(s.Connections(), "done", done, "id", id)
	if id != "" {
		path += "#" + id
	}
	return path
}

// Connection is the page of one account.
func (s Site) Connection(id string) string { return s.join("connections", id) }

// ConnectionAfter is the page of an account after something was done to it.
func (s Site) ConnectionAfter(id, done string) string { return query(s.Connection(id), "done", done) }

// TestConnection takes the form that asks an account's server now.
func (s Site) TestConnection(id string) string { return s.join("connections", id, "test") }

// PauseConnection takes the form that stops the reading of an account.
func (s Site) PauseConnection(id string) string { return s.join("connections", id, "pause") }

// ResumeConnection takes the form that goes on with it.
func (s Site) ResumeConnection(id string) string { return s.join("connections", id, "resume") }

// RenameConnection takes the form with an account's new name.
func (s Site) RenameConnection(id string) string { return s.join("connections", id, "rename") }

// SignInAgain is the page that gives an account a new credential.
func (s Site) SignInAgain(id string) string { return s.join("connections", id, "login") }

// Disconnect is the page that asks before an account is removed, and takes its
// form.
func (s Site) Disconnect(id string) string { return s.join("connections", id, "disconnect") }

// PendingLogin is the page between the workspace and the server to sign in
// with; it takes the code of a sign-in that cannot come back by itself.
func (s Site) PendingLogin() string { return s.join("connections", "login") }

// LoginCallback is where a server sends the person back to.
func (s Site) LoginCallback() string { return s.join("connections", "callback") }

// NewDeckFor is the page that makes a deck, with an account to begin with.
func (s Site) NewDeckFor(connection string) string {
	return query(s.join("decks", "new"), "connection", connection)
}
