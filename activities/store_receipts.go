package activities

import (
	"encoding/json"
	"time"

	"personal-workspace/internal/sqlite"
)

// receiptsKept is how long a publication's answer can be asked for again.
const receiptsKept = 90 * 24 * time.Hour

const (
	readReceiptSQL   = "SELECT digest, receipt FROM activity_receipts WHERE request_id = ?"
	pruneReceiptsSQL = "DELETE FROM activity_receipts WHERE at < ?"
)

// keptReceipt is a stored receipt.
type keptReceipt struct {
	digest  []byte
	receipt string
}

func readReceipt(tx *sqlite.Tx, requestID string) (k keptReceipt, ok bool, err error) {
	k, err = sqlite.One(tx, func(r sqlite.Row) (k keptReceipt, err error) {
		err = r.Scan(&k.digest, &k.receipt)
		return k, err
	}, readReceiptSQL, requestID)
	if sqlite.IsNoRows(err) {
		return k, false, nil
	}
	return k, err == nil, err
}

func putReceipt(tx *sqlite.Tx, r Receipt, digest []byte, at int64) error {
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = tx.Exec("INSERT INTO activity_receipts (request_id, digest, receipt, at) VALUES (?, ?, ?, ?)", r.RequestID, digest, string(b), at)
	return err
}

// pruneReceipts removes what is older than a time in Unix milliseconds.
func pruneReceipts(tx *sqlite.Tx, before int64) error {
	_, err := tx.Exec(pruneReceiptsSQL, before)
	return err
}
