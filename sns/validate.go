package sns

// ValidateSource checks a source that is to be saved for the connection and
// returns its normal form. The fault is invalid_source (unsupported for a kind
// this server lacks) and names the member below field, such as "source.tag".
func (s *Service) ValidateSource(c Connection, src Source, field string) (Source, error) {
	panic("not yet")
}

// Canonical returns the text that equal sources share.
func (s Source) Canonical() string { panic("not yet") }

// Hash returns a short key of Canonical, 24 hexadecimal digits.
func (s Source) Hash() string { panic("not yet") }

// Label returns what a person calls the source: "Home", "#tag", "List 12".
func (s Source) Label() string { panic("not yet") }
