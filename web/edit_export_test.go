package web

import "net/url"

// DeckFormAgain reads a deck's form and returns the inputs that send it again.
func DeckFormAgain(form url.Values) (url.Values, error) {
	f, err := readDeckForm(form)
	if err != nil {
		return nil, err
	}
	out := url.Values{}
	for _, v := range f.hidden() {
		out.Add(v.Name, v.Value)
	}
	return out, nil
}
