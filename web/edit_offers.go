package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/sns"
)

// offerWait bounds how long a form waits for what a network offers to choose
// from; without an answer it is typed.
const offerWait = 3 * time.Second

// accountOffers are the offers of several accounts by their ids.
type accountOffers map[string]offers

// notice is why one of the accounts offers nothing, "" when all answered.
func (a accountOffers) notice() string {
	for _, o := range a {
		if o.notice != "" {
			return o.notice
		}
	}
	return ""
}

// tags are all followed hashtags, sorted.
func (a accountOffers) tags() []string {
	var out []string
	for _, o := range a {
		out = append(out, o.tags...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// allOffers asks every account at once.
func (h *Handler) allOffers(ctx context.Context, list []sns.Connection) accountOffers {
	var mu sync.Mutex
	var wg sync.WaitGroup
	out := accountOffers{}
	for _, c := range list {
		wg.Go(func() {
			o := h.offers(ctx, c, sns.KindList)
			o.tags = h.offers(ctx, c, sns.KindHashtag).tags
			mu.Lock()
			defer mu.Unlock()
			out[c.ID] = o
		})
	}
	wg.Wait()
	return out
}

// offers asks an account for what a kind of source can be chosen from.
func (h *Handler) offers(ctx context.Context, c sns.Connection, kind sns.Kind) (o offers) {
	ctx, cancel := context.WithTimeout(ctx, offerWait)
	defer cancel()
	switch {
	case !c.Login:
	case kind == sns.KindList:
		lists, err := h.connections.OfferLists(ctx, c.ID)
		o.lists = lists
		o.notice = noOffers(c, err, "lists")
		if err == nil && len(lists) == 0 {
			o.notice = c.Account + " has no list yet. Make one at " + hostOf(c.Account) + ", then reload this page; or type the id of a list."
		}
	case kind == sns.KindHashtag:
		tags, err := h.connections.ListFollowedTags(ctx, c.ID)
		o.tags = tags
		o.notice = noOffers(c, err, "followed hashtags")
	}
	return o
}

// noOffers says why there is nothing to choose from. What is wrong in the
// workspace itself is found in its log by the request that saves.
func noOffers(c sns.Connection, err error, what string) string {
	if err == nil {
		return ""
	}
	why := hostOf(c.Account) + " did not answer"
	switch fault.CodeOf(err) {
	case fault.Timeout:
		if c.Network == sns.Twitter {
			return "X is asked one thing after another, and the " + what + " of " + c.Account + " are not read yet. Reload this page in a moment to choose from them; you can type it all the same."
		}
	case fault.RateLimited, fault.BudgetExhausted:
		why = hostOf(c.Account) + " takes no more requests for a while"
	case fault.Unauthorized:
		why = hostOf(c.Account) + " does not accept the account's sign-in any more"
	case fault.Forbidden, fault.Unsupported:
		why = hostOf(c.Account) + " does not tell them"
	}
	return "The " + what + " of " + c.Account + " could not be read: " + why + ". You can type it all the same."
}
