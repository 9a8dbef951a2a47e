package view

// Inbox is the first page as it is asked for; state is its query, "" for what is
// to do.
func (s Site) Inbox(state string) string {
	if state == "" {
		return s.Home()
	}
	return s.Home() + "?" + state
}

// Messages is the page of replies as it is asked for; state is its query, "" for
// what needs one.
func (s Site) Messages(state string) string {
	if state == "" {
		return s.join("messages")
	}
	return s.join("messages") + "?" + state
}

// Activity is an activity's own page. An assistant may have chosen an id that is
// also the name of a page: a slash behind tells them apart.
func (s Site) Activity(id string) string {
	path := s.join("activities", id)
	if path == s.NewActivity() {
		path += "/"
	}
	return path
}

// NewActivity is the page that makes a task of the person's own, and takes its
// form.
func (s Site) NewActivity() string { return s.join("activities", "new") }

// MadeActivity is the page of a task that was just made.
func (s Site) MadeActivity(id string) string { return query(s.Activity(id), "made", "1") }

// ActivityFrom is that page, leading back to the list that state is.
func (s Site) ActivityFrom(id, state string) string {
	return query(s.Activity(id), "from", state)
}

// ActivityAfter is the page after a decision there, with the change to take back.
func (s Site) ActivityAfter(id, state, change string) string {
	return query(s.Activity(id), "from", state, "change", change)
}

// DecideActivity takes the form with a decision about an activity.
func (s Site) DecideActivity(id string) string { return s.join("activities", id, "decide") }

// UndoActivity takes the form that takes back a decision about an activity.
func (s Site) UndoActivity(id string) string { return s.join("activities", id, "undo") }

// EditActivity is the page with an activity's text, and takes its form; state is
// the list that it leads back to.
func (s Site) EditActivity(id, state string) string {
	return query(s.join("activities", id, "edit"), "from", state)
}

// EditFromPage is that page, leading back to the activity's own.
func (s Site) EditFromPage(id, state string) string {
	return query(s.join("activities", id, "edit"), "from", state, "back", "page")
}

// DraftActivity takes the text of an edit that is not saved yet.
func (s Site) DraftActivity(id string) string { return s.join("activities", id, "draft") }

// CompareActivity is the page that shows an edited text beside a newer proposal.
func (s Site) CompareActivity(id, state string) string {
	return query(s.join("activities", id, "compare"), "from", state)
}

// EraseActivity is the page that asks before a text is removed for good, and
// takes its form.
func (s Site) EraseActivity(id, state string) string {
	return query(s.join("activities", id, "erase"), "from", state)
}

// DecideActivities takes the form with one decision about several activities.
func (s Site) DecideActivities() string { return s.join("activities", "decide") }

// UndoLast takes the form that takes back the last decision.
func (s Site) UndoLast() string { return s.join("activities", "undo") }

// ActivityCount is how many activities need the person, for the script.
func (s Site) ActivityCount() string { return s.join("api", "activities", "count") }

// Reading leads on to the deck that was read last; for the script it is the line
// about it.
func (s Site) Reading() string { return s.join("reading") }

// DismissSample takes the form that takes the sample of a proposal away.
func (s Site) DismissSample() string { return s.join("sample", "dismiss") }
