package web

import (
	"context"
	"slices"
	"sync"

	"personal-workspace/decks"
	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
)

// recentEntries is how many changes are remembered between two streams that read
// the same ones.
const recentEntries = 256

// feed reads for all streams together what each of them needs after a change:
// the first one asks the database, the others find it here.
type feed struct {
	ledger *ledger.Ledger
	decks  *decks.Service

	mu sync.Mutex
	// version is that of the ledger before what follows was read.
	version uint64
	// entries are the changes after seq after, up to seq to.
	entries   []ledger.Entry
	after, to int64
	known     map[string]knownDeck
}

// knownDeck is a deck as it stands.
type knownDeck struct {
	decks.Deck
	gone   bool
	states map[string]decks.ColumnState
}

// start returns the seq of the newest change.
func (f *feed) start(ctx context.Context) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(ctx); err != nil {
		return 0, err
	}
	return f.to, nil
}

// since returns the changes after seq.
func (f *feed) since(ctx context.Context, seq int64) ([]ledger.Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(ctx); err != nil {
		return nil, err
	}
	if seq < f.after {
		return f.read(ctx, seq)
	}
	i, _ := slices.BinarySearchFunc(f.entries, seq+1, func(e ledger.Entry, s int64) int { return int(e.Seq - s) })
	return f.entries[i:], nil
}

// update reads what is new in the ledger; mu is held.
func (f *feed) update(ctx context.Context) error {
	version := f.ledger.Version()
	if f.known != nil && version == f.version {
		return nil
	}
	if f.known == nil {
		last, err := f.ledger.LastSeq(ctx)
		if err != nil {
			return err
		}
		f.after, f.to = last, last
	}
	list, err := f.read(ctx, f.to)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		// A fresh slice: streams may still read the one before.
		all := slices.Concat(f.entries, list)
		if cut := len(all) - recentEntries; cut > 0 {
			f.after = all[cut-1].Seq
			all = all[cut:]
		}
		f.entries, f.to = all, all[len(all)-1].Seq
	}
	f.known, f.version = map[string]knownDeck{}, version
	return nil
}

// read returns all changes after seq from the database.
func (f *feed) read(ctx context.Context, seq int64) (all []ledger.Entry, err error) {
	for {
		list, err := f.ledger.Entries(ctx, seq, entriesAtOnce)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < entriesAtOnce {
			return all, nil
		}
		seq = list[len(list)-1].Seq
	}
}

// deck returns a deck as it stands.
func (f *feed) deck(ctx context.Context, id string) (d knownDeck, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.update(ctx); err != nil {
		return d, err
	}
	if d, ok := f.known[id]; ok {
		return d, nil
	}
	d.Deck, err = f.decks.GetDeck(ctx, id)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		d.gone = true
	case err != nil:
		return d, err
	default:
		if d.states, err = f.decks.ColumnStates(ctx, id); err != nil {
			return d, err
		}
	}
	f.known[id] = d
	return d, nil
}
