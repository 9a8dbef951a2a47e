package view

import "strconv"

// MessagesPage is the replies by conversation.
type MessagesPage struct {
	Page
	Messages Messages
	// Live connects the page to what changes.
	Live Stream
}

// Messages is a list of conversations and one of them: a page's and a fragment.
type Messages struct {
	Site Site
	// URL is the part's own address, Revision that of the workspace it shows.
	URL, Revision string
	Filters       []InboxView
	// Heading names the list, Back leads to it alone.
	Heading, Back string
	List          []TalkLink
	// Total is how many the list has on all of its pages.
	Total int
	// Empty says why there is nothing in it, "" when there is something.
	Empty string
	// Most is of how many replies the list is made if there may be more, "" otherwise;
	// AllURL leads to where all are.
	Most, AllURL string
	// Next leads to the page after, First back to the beginning; "" for nothing.
	Next, First string
	// Open is the conversation beside the list; nil for none. Chosen: the person
	// asked for it, so that a phone shows it rather than the list.
	Open   *Talk
	Chosen bool
	// Gone says that the one asked for is not there, "" otherwise.
	Gone string
	// From is sent along with every form: where it leads back to.
	From []Hidden
	// Last is the decision that can be taken back, one of them for several; "" for
	// none.
	Last string
	// Batch is the line about what was taken back; nil for none.
	Batch *BatchLine
	// Address is what the browser shall say it shows, "" for what it says already.
	Address string
}

func (m Messages) totalText() string { return strconv.Itoa(m.Total) }

// class tells a phone which of both pages it is.
func (m Messages) class() string {
	if m.Chosen {
		return "messages opened"
	}
	return "messages"
}

// TalkLink leads to a conversation.
type TalkLink struct {
	ID, URL string
	// Name is what it is called, With its author, "" for not known.
	Name, With string
	// Text is the beginning of what was said last.
	Text string
	At   *Time
	// Replies says how many there are, "" for one.
	Replies string
	Current bool
}

// Talk is a conversation as far as it is known, and the replies to it.
type Talk struct {
	Name string
	// Lines are about decisions in other conversations.
	Lines    []DecidedRow
	Excerpts []ActivityExcerpt
	Items    []InboxItem
	// More leads to older replies, First back to the newest; "" for nothing.
	More, First string
}
