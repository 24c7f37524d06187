package stress

import (
	"maps"
	"slices"
)

// batchParts are what the journal knows of batches that do not count yet, by number: how far
// one that is under way has come, and all of one that waits for another before it. Whether the
// campaign goes on here or in another process, they go on from there.
type batchParts map[int]*batchReport

// from lists those from that batch on.
func (p batchParts) from(first int) (parts []*batchReport) {
	for _, b := range slices.Sorted(maps.Keys(p)) {
		if b >= first {
			parts = append(parts, p[b])
		}
	}
	return parts
}

// executions is how many have been done of them.
func (p batchParts) executions(first int) (n int) {
	for _, b := range p.from(first) {
		n += b.Executions
	}
	return n
}

// kept is the exploration that the parts name, nil if they name none.
func (p batchParts) kept() *keptState {
	for _, b := range p {
		if b.Kept != nil {
			return b.Kept // an exhaustive scenario is one batch
		}
	}
	return nil
}

// countParts takes into the tally what has been done of batches, for the report of a campaign
// that is interrupted. It is not to go on then.
func (t *turn) countParts() {
	for _, b := range t.parts.from(t.next) {
		t.addBatch(b)
	}
}
