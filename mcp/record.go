package mcp

import (
	"net/http"
	"sync"
	"time"

	"personal-workspace/internal/fault"
	"personal-workspace/internal/ledger"
)

// unknownTool stands in a record for a tool whose name could not be read.
const unknownTool = "unknown"

func recordedName(tool string) string {
	if tool == "" {
		return unknownTool
	}
	return tool
}

// isCall reports whether a request is a tool call. When a body's method cannot be
// read, because the body was cut off or is broken, the header Mcp-Method says it.
func isCall(r *http.Request, m message) bool {
	method := m.Method
	if method == "" {
		method = r.Header.Get("Mcp-Method")
	}
	return r.Method == http.MethodPost && method == methodCallTool
}

// recordRefused makes the record of a tool call that no middleware saw; other
// requests leave none.
func (h *Handler) recordRefused(r *http.Request, m message, code fault.Code) {
	if !isCall(r, m) {
		return
	}
	name, version := clientOf(m.Params.Meta, r.Header)
	h.runs.Record(ledger.ToolRun{
		ID: h.newID("run"), Caller: anonymous, ClientName: name, ClientVersion: version, Tool: recordedName(m.Params.name()),
		Outcome: ledger.OutcomeRefused, Code: string(code),
	})
}

// maxStrangers is how many calls of those who may not call are recorded in a
// minute. Any web page that the person has open, and any machine that reaches the
// port, can send such requests without end, and each row would stay in the
// database; sixty show that it happens and what was tried. Who may call needs no
// such limit: it would only hide calls, and an accepted call is a row as well.
const maxStrangers = 60

// recordStranger is recordRefused for those who may not call at all.
func (h *Handler) recordStranger(r *http.Request, m message) {
	if !isCall(r, m) {
		return
	}
	ok, first := h.strangers.take()
	if first {
		h.log.WarnContext(r.Context(), "many refused calls: the rest of this minute's are not recorded", "recorded", maxStrangers)
	}
	if ok {
		h.recordRefused(r, m, fault.Forbidden)
	}
}

// minuteLimit lets through a number of events in each minute of the clock. It is
// safe for concurrent use.
type minuteLimit struct {
	now  func() time.Time
	most int

	mu     sync.Mutex
	minute time.Time
	taken  int
}

// take reports whether one more event may pass and, when it may not, whether it
// is the first of its minute to be held back.
func (l *minuteLimit) take() (ok, first bool) {
	minute := l.now().Truncate(time.Minute)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !minute.Equal(l.minute) {
		l.minute, l.taken = minute, 0
	}
	l.taken++
	return l.taken <= l.most, l.taken == l.most+1
}
