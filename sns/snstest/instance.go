package snstest

import "strings"

const version = "4.5.2"

// me answers verify_credentials: the account with what only its owner sees.
func (q *query) me() answer {
	return answer{body: patched(q.account(q.viewer), map[string]any{
		"source": map[string]any{"privacy": "public", "sensitive": false, "language": "en", "note": q.viewer.Bio, "fields": []any{}, "follow_requests_count": 0},
		"role":   map[string]any{"id": "-99", "name": "", "permissions": "0", "color": "", "highlighted": false},
	})}
}

// application tells the scopes of the token, as Mastodon 4.3 and later do.
func (q *query) application() answer {
	switch {
	case q.quirks.NoAppCheck:
		return q.quirks.notFound("")
	case q.quirks.NoAppScopes:
		return *q.quirks.missingScope()
	}
	return answer{body: map[string]any{
		"id": "1", "name": "Mock client", "website": nil, "scopes": q.scopes,
		"redirect_uris": []string{"urn:ietf:wg:oauth:2.0:oob"}, "redirect_uri": "urn:ietf:wg:oauth:2.0:oob",
	}}
}

func (q *query) instanceV1() answer {
	return answer{body: map[string]any{
		"uri": q.domain, "title": q.title, "short_description": q.description(), "description": q.description(), "email": "",
		"version": version, "urls": map[string]any{"streaming_api": streaming(q.base)},
		"stats":     map[string]any{"user_count": len(q.store.accounts), "status_count": len(q.store.statuses), "domain_count": 3},
		"thumbnail": q.base + "/pictures/card/plain.svg", "languages": []string{"en"}, "registrations": false, "approval_required": false,
		"invites_enabled": false, "configuration": q.configuration(), "contact_account": q.account(q.store.me()), "rules": []any{},
	}}
}

func (q *query) instanceV2() answer {
	if q.quirks.NoInstanceV2 {
		return q.quirks.notFound("")
	}
	out := map[string]any{
		"domain": q.domain, "title": q.title, "version": version, "source_url": "https://" + q.domain + "/source",
		"description": q.description(), "usage": map[string]any{"users": map[string]any{"active_month": len(q.store.accounts)}},
		"thumbnail": map[string]any{"url": q.base + "/pictures/card/plain.svg"}, "languages": []string{"en"},
		"configuration": q.configuration(), "registrations": map[string]any{"enabled": false, "approval_required": false, "message": nil},
		"api_versions": map[string]any{"mastodon": q.apiVersion()}, "contact": map[string]any{"email": "", "account": q.account(q.store.me())}, "rules": []any{},
	}
	if q.quirks.FewMembers {
		delete(out, "api_versions")
	}
	return answer{body: out}
}

func (q *query) apiVersion() int {
	if q.quirks.NoGrouped {
		return 1
	}
	return 7
}

func (q *query) description() string { return "A server for trying out, with made-up people." }

func (q *query) configuration() map[string]any {
	feeds := "public"
	switch {
	case q.quirks.FeedsDisabled:
		feeds = "disabled"
	case q.quirks.PublicNeedsToken:
		feeds = "authenticated"
	}
	access := map[string]any{"local": feeds, "remote": feeds}
	out := map[string]any{
		"urls":              map[string]any{"streaming": streaming(q.base), "status": nil},
		"statuses":          map[string]any{"max_characters": 500, "max_media_attachments": 4, "characters_reserved_per_url": 23},
		"media_attachments": map[string]any{"description_limit": 1500, "image_size_limit": 16 << 20, "video_size_limit": 99 << 20},
		"polls":             map[string]any{"max_options": 4, "max_characters_per_option": 50, "min_expiration": 300, "max_expiration": 2629746},
		"timelines_access":  map[string]any{"live_feeds": access, "hashtag_feeds": access, "trending_link_feeds": access},
	}
	if q.quirks.FewMembers {
		delete(out, "timelines_access")
	}
	return out
}

// streaming is the address of the streaming server, which the mock lacks.
func streaming(base string) string { return strings.Replace(base, "http", "ws", 1) }
