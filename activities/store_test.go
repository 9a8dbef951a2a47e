package activities

import (
	"regexp"
	"strings"
	"testing"

	"personal-workspace/internal/sqlite"
	"personal-workspace/internal/sqlite/sqlitetest"
)

// TestHotStatementsUseTheirIndex fails when a statement reads a whole table,
// sorts by a temporary tree or uses another index than it was made for.
func TestHotStatementsUseTheirIndex(t *testing.T) {
	db := sqlitetest.Open(t)
	for name, tc := range map[string]struct{ query, index string }{
		"find":             {findSQL, "sqlite_autoindex_activities_1"},
		"present":          {presentSQL, "activities_key"},
		"last seq":         {lastSeqSQL, "activities"},
		"find many":        {byIDsSQL, "sqlite_autoindex_activities_1"},
		"own tasks":        {ownTasksSQL, "activities_key"},
		"by key":           {byKeySQL, "activities_key"},
		"by root":          {byRootSQL, "activities_root"},
		"due":              {dueSQL, "activities_due"},
		"to do":            {todoSQL, "activities_place"},
		"snoozed":          {snoozedSQL, "activities_later"},
		"closed":           {closedSQL, "activities_later"},
		"all":              {allSQL, "INTEGER PRIMARY KEY"},
		"ids due":          {dueIDsSQL, "activities_due"},
		"ids to do":        {todoIDsSQL, "activities_place"},
		"ids snoozed":      {snoozedIDsSQL, "activities_later"},
		"ids closed":       {closedIDsSQL, "activities_later"},
		"all ids":          {allIDsSQL, "INTEGER PRIMARY KEY"},
		"groups":           {groupsSQL, "COVERING INDEX activities_place"},
		"filtered groups":  {filteredGroupsSQL, "activities_place"},
		"filtered count":   {filteredCountSQL, "activities_"},
		"counts":           {countsSQL, "COVERING INDEX activities_place"},
		"proposers":        {proposersSQL, "activities_place"},
		"context":          {contextSQL, "INTEGER PRIMARY KEY"},
		"due now":          {dueNowSQL, "activities_later"},
		"next wake":        {nextWakeSQL, "COVERING INDEX activities_later"},
		"replies to do":    {todoHeadsSQL, "activities_place"},
		"snoozed replies":  {snoozedHeadsSQL, "activities_place"},
		"done replies":     {doneHeadsSQL, "activities_later"},
		"needed replies":   {needingSQL, "activities_conversation"},
		"other replies":    {otherSQL, "activities_conversation"},
		"a conversation":   {placeOfSQL, "activities_conversation"},
		"history":          {historySQL, "activity_changes_activity"},
		"a change":         {findRowSQL, "INTEGER PRIMARY KEY"},
		"last changes":     {lastUndoSQL, "activity_changes_undo"},
		"the last change":  {lastSQL, "activity_changes_undo"},
		"one commit":       {togetherSQL, "INTEGER PRIMARY KEY"},
		"later changes":    {laterSQL, "activity_changes_activity"},
		"an undo":          {ownUndoSQL, "activity_changes_activity"},
		"a receipt":        {readReceiptSQL, "sqlite_autoindex_activity_receipts_1"},
		"old receipts":     {pruneReceiptsSQL, "activity_receipts_at"},
		"a draft":          {findDraftSQL, "INTEGER PRIMARY KEY"},
		"the revision":     {revisionSQL, "INTEGER PRIMARY KEY"},
		"store a proposal": {updateSQL, "INTEGER PRIMARY KEY"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := explain(t, db, tc.query)
			if !strings.Contains(plan, tc.index) {
				t.Errorf("the plan does not use %s:\n%s", tc.index, plan)
			}
			plan = allowed.ReplaceAllString(plan, "")
			if strings.Contains(plan, "SCAN") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("plan:\n%s", plan)
			}
		})
	}
}

// allowed are scans that read nothing they need not: the ids a caller gave, an
// index whose rows are all counted, and the changes that can be taken back, of
// which the newest ends it.
var allowed = regexp.MustCompile(`SCAN json_each VIRTUAL TABLE INDEX 1:|SCAN activities USING COVERING INDEX activities_place|SCAN activity_changes USING (COVERING )?INDEX activity_changes_undo`)

func explain(t *testing.T, db *sqlite.DB, query string) string {
	t.Helper()
	numbered := regexp.MustCompile(`\?(\d+)`)
	n := strings.Count(query, "?")
	if m := numbered.FindAllStringSubmatch(query, -1); m != nil {
		seen := map[string]bool{}
		for _, s := range m {
			seen[s[1]] = true
		}
		n = len(seen)
	}
	var lines []string
	err := db.Read(t.Context(), func(tx *sqlite.Tx) (err error) {
		lines, err = sqlite.Query(tx, func(r sqlite.Row) (detail string, err error) {
			var a, b, c int
			err = r.Scan(&a, &b, &c, &detail)
			return detail, err
		}, "EXPLAIN QUERY PLAN "+query, make([]any, n)...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
