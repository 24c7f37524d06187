package soak

import "slices"

// A Plant is a deliberate defect of a run: a positive control.
type Plant string

// The plants. Those before PlantCounter affect the first job of the first tree of joins.
const (
	PlantLost    Plant = "lost"
	PlantTwice   Plant = "twice"
	PlantWrong   Plant = "wrong"
	PlantDropped Plant = "dropped" // a job that ran is reported as dropped
	PlantRefused Plant = "refused" // ... as refused
	PlantHang    Plant = "hang"
	PlantCounter Plant = "counter" // a job is injected that is not in the ledger
	PlantLeak    Plant = "leak"
	PlantMemory  Plant = "memory"
)

// Plants returns all plants.
func Plants() []Plant {
	return []Plant{PlantLost, PlantTwice, PlantWrong, PlantDropped, PlantRefused, PlantHang, PlantCounter, PlantLeak, PlantMemory}
}

// inBatch reports whether the plant needs a batch.
func (p Plant) inBatch() bool {
	return slices.Index(Plants(), p) < slices.Index(Plants(), PlantCounter)
}

// Fits reports whether p can be planted in a run of these kinds.
func (p Plant) Fits(kinds []*Kind) bool {
	return p == "" || !p.inBatch() || slices.ContainsFunc(kinds, func(k *Kind) bool { return k.sums })
}

// plantFor returns the defect to plant in the batch, or "".
func (e *env) plantFor(d draw) Plant {
	if e.plant == "" || !e.plant.inBatch() || !d.kind.sums || !e.planted.CompareAndSwap(false, true) {
		return ""
	}
	return e.plant
}

// hoard is memory that is never freed.
type hoard struct{ blocks [][]byte }

// plantAround plants the defects outside batches: leaks, memory, and jobs that are not in the ledger.
func (e *env) plantAround() {
	switch e.plant {
	case PlantLeak:
		go func() { <-e.release }()
	case PlantMemory:
		e.hoard.blocks = append(e.hoard.blocks, make([]byte, 64<<20))
	case PlantCounter:
		e.p.injected.Add(1)
	}
}
