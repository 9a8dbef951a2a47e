package snstest

// listsPage has the account's lists in one module and in others what X offers
// besides.
func (q *question) listsPage() result {
	own, offered := []any{}, []any{}
	for _, l := range q.p.lists {
		item := object{"itemContent": object{"itemType": "TimelineTwitterList", "__typename": "TimelineTwitterList", "displayType": "ListWithPin", "list": q.listRecord(l)}}
		if l.Recommended {
			offered = append(offered, object{"entryId": "list-to-follow-module-0-list-" + l.id, "item": item})
			continue
		}
		own = append(own, object{"entryId": "owned-subscribed-list-module-0-list-" + l.id, "item": item})
	}
	entries := []any{}
	for _, mod := range []struct {
		id    string
		items []any
	}{{"list-to-follow-module-0", offered}, {"owned-subscribed-list-module-0", own}} {
		if len(mod.items) > 0 {
			entries = append(entries, object{"entryId": mod.id, "sortIndex": sortIndex(9), "content": module("Vertical", mod.items)})
		}
	}
	bottom := q.cursors.make(cursorPlace{q.p.name + "\x00lists", false, ""}, q.op.cursor)
	entries = append(entries, q.cursorEntry("Top", bottom, 1), q.cursorEntry("Bottom", bottom, 0))
	return result{data: under("viewer.list_management_timeline.timeline", object{"instructions": []any{
		object{"type": "TimelineClearCache"}, object{"type": "TimelineAddEntries", "entries": entries}, object{"type": "TimelineTerminateTimeline", "direction": "Top"},
	}})}
}

func (q *question) listRecord(l *tweetList) object {
	mode := "Public"
	if l.Private {
		mode = "Private"
	}
	return object{
		"__typename": "List", "id": "TGlzdDo" + l.id, "id_str": l.id, "name": l.Title, "description": l.Description, "member_count": len(l.Members),
		"subscriber_count": 0, "mode": mode, "following": !l.Recommended, "is_member": false, "muting": false, "created_at": 1767225600000,
		"user_results": object{"result": q.user(q.p.owner)},
	}
}

// ownerships are somebody's own public lists, one entry each.
func (q *question) ownerships() result {
	entries := []any{}
	if q.text("userId") == q.p.owner.id {
		for _, l := range q.p.lists {
			if !l.Recommended {
				item := object{"itemType": "TimelineTwitterList", "__typename": "TimelineTwitterList", "list": q.listRecord(l)}
				entries = append(entries, object{"entryId": "list-" + l.id, "sortIndex": sortIndex(9), "content": object{"entryType": "TimelineTimelineItem", "__typename": "TimelineTimelineItem", "itemContent": item}})
			}
		}
	}
	bottom := q.cursors.make(cursorPlace{q.p.name + "\x00ownerships", false, ""}, q.op.cursor)
	entries = append(entries, q.cursorEntry("Bottom", bottom, 0))
	return result{data: under("user.result.timeline.timeline", object{"instructions": []any{object{"type": "TimelineAddEntries", "entries": entries}}})}
}
