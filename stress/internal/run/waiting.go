package run

import (
	"maps"
	"slices"
)

// waitingBatches are the batches, by number, that are done and that the journal has, but that do not
// count yet: a batch before them is still running in another process.
type WaitingBatches map[int]*BatchReport

// from returns the numbers of those from that batch on, in order.
func (w WaitingBatches) From(first int) []int {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(w)), func(b int) bool { return b < first })
}

// executions is the number of executions of those from that batch on.
func (w WaitingBatches) Executions(first int) (n int) {
	for _, b := range w.From(first) {
		n += w[b].Executions
	}
	return n
}
