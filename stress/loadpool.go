package stress

import (
	"fmt"

	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/sleep"
)

const (
	maxPoolSizes = 64      // that one scenario goes through
	maxWorkers   = 256     // of one pool: the subject, not the machine, is to be stressed
	maxDeque     = 1 << 12 // slots of each worker
	maxInjected  = 100_000 // the most jobs of a workload
)

// Widths are the widths of the counters with the defaults filled in.
func (p PoolSpec) Widths() (jecBits, threadBits int) {
	jecBits, threadBits = p.JECBits, p.ThreadBits
	if jecBits == 0 {
		jecBits = sleep.ProductionWidths.JEC
	}
	if threadBits == 0 {
		threadBits = sleep.ProductionWidths.Inactive
	}
	return jecBits, threadBits
}

func (l *loader) pool(n yamltree.Node) (p PoolSpec) {
	var initial, workers yamltree.Node
	reads := []fieldReader{
		{"workers", func(n yamltree.Node) { workers = n }},
		{"sleep", func(n yamltree.Node) { p.Sleep = l.variant(n, "sleep") }},
		{"jec-bits", func(n yamltree.Node) { p.JECBits = int(l.Number(n, "jec-bits", 1, 62)) }},
		{"thread-bits", func(n yamltree.Node) { p.ThreadBits = int(l.Number(n, "thread-bits", 1, 30)) }},
		{"initial-jec", func(n yamltree.Node) { initial = n }},
		{"rounds", func(n yamltree.Node) {
			rounds := int(l.Number(n, "rounds", 0, 1_000_000))
			p.Rounds = &rounds
		}},
		{"deque-capacity", func(n yamltree.Node) { p.DequeCapacity = l.powerOfTwo(n, "deque-capacity", maxDeque) }},
		{"max-injected", func(n yamltree.Node) { p.MaxInjected = int(l.Number(n, "max-injected", 1, maxInjected)) }},
	}
	f := l.fields(n, "pool", reads)
	f.Need("workers")
	l.each(f, reads)
	l.checkWidths(p, f)
	if workers != nil && l.Err == nil {
		p.Workers = l.workers(workers, p)
	}
	if initial != nil && l.Err == nil {
		p.InitialJEC = l.initialJEC(initial, p)
	}
	return p
}

func (l *loader) powerOfTwo(n yamltree.Node, what string, most int64) int {
	v := l.Number(n, what, 1, most)
	if l.Err == nil && v&(v-1) != 0 {
		l.Fail(n, "%s: found %d, want a power of two", what, v)
	}
	return int(v)
}

// checkWidths sees to it that the JEC and two thread counters fit in one word.
func (l *loader) checkWidths(p PoolSpec, f *yamltree.Fields) {
	jecBits, threadBits := p.Widths()
	if l.Err != nil || jecBits+2*threadBits <= 64 {
		return
	}
	at := "jec-bits"
	if !f.Has(at) {
		at = "thread-bits"
	}
	l.Fail(f.Value(at), "pool: %d jec-bits and twice %d thread-bits are %d bits, want at most 64",
		jecBits, threadBits, jecBits+2*threadBits)
}

func (l *loader) workers(n yamltree.Node, p PoolSpec) (sizes []int) {
	elements := l.Elements(n, "workers")
	if l.Err == nil && (len(elements) == 0 || len(elements) > maxPoolSizes) {
		l.Fail(n, "workers: the list has %d pool sizes, want 1 to %d", len(elements), maxPoolSizes)
	}
	_, threadBits := p.Widths()
	counted := int64(1)<<threadBits - 1
	for _, e := range elements {
		if l.Err != nil {
			return nil
		}
		sizes = append(sizes, int(l.Number(e, "workers", 1, min(counted, maxWorkers))))
		if l.Err != nil && counted < maxWorkers {
			l.Err.Problem += fmt.Sprintf(": %d thread-bits count no further", threadBits)
		}
	}
	return sizes
}

// initialJEC is a number, or max: the last value before the counter wraps.
func (l *loader) initialJEC(n yamltree.Node, p PoolSpec) uint64 {
	jecBits, _ := p.Widths()
	most := uint64(1)<<jecBits - 1
	if l.IsText(n, "max") {
		return most
	}
	if !l.IsInteger(n) {
		l.Fail(n, "initial-jec: found %s, want a whole number or max", l.Found(n))
		return 0
	}
	jec := l.Unsigned(n, "initial-jec")
	if jec > most {
		l.Fail(n, "initial-jec: found %d, want at most %d (max): %d jec-bits count no further", jec, most, jecBits)
	}
	return jec
}

// checkWorkers refuses pool sizes with which the workload makes no sense.
func (l *loader) checkWorkers(sc *Scenario, f *yamltree.Fields) {
	w, ok := l.cat.workload(sc.Workload)
	if !ok {
		return
	}
	for _, size := range sc.Pool.Workers {
		switch {
		case size < w.least:
			l.Fail(f.Value("pool"), "pool: found %s, want at least %d: the workload %s is for no less", plural(size, "worker"), w.least, w.Name)
		case w.most > 0 && size > w.most:
			l.Fail(f.Value("pool"), "pool: found %s, want at most %d: the workload %s is for no more", plural(size, "worker"), w.most, w.Name)
		}
	}
}
