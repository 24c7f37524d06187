package stress

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"github.com/rouse-go/rouse/sleep"
)

const (
	maxPoolSizes = 64      // that one scenario goes through
	maxWorkers   = 256     // of one pool: the subject, not the machine, is to be stressed
	maxDeque     = 1 << 12 // slots of each worker
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

func (l *loader) pool(n ast.Node) (p PoolSpec) {
	var initial, workers ast.Node
	reads := []fieldReader{
		{"workers", func(n ast.Node) { workers = n }},
		{"sleep", func(n ast.Node) { p.Sleep = l.variant(n, "sleep") }},
		{"jec-bits", func(n ast.Node) { p.JECBits = int(l.number(n, "jec-bits", 1, 62)) }},
		{"thread-bits", func(n ast.Node) { p.ThreadBits = int(l.number(n, "thread-bits", 1, 30)) }},
		{"initial-jec", func(n ast.Node) { initial = n }},
		{"rounds", func(n ast.Node) {
			rounds := int(l.number(n, "rounds", 0, 1_000_000))
			p.Rounds = &rounds
		}},
		{"deque-capacity", func(n ast.Node) { p.DequeCapacity = l.powerOfTwo(n, "deque-capacity", maxDeque) }},
	}
	f := l.fields(n, "pool", keysOf(reads))
	f.need("workers")
	f.each(reads)
	l.checkWidths(p, f)
	if workers != nil && l.err == nil {
		p.Workers = l.workers(workers, p)
	}
	if initial != nil && l.err == nil {
		p.InitialJEC = l.initialJEC(initial, p)
	}
	return p
}

func (l *loader) powerOfTwo(n ast.Node, what string, most int64) int {
	v := l.number(n, what, 1, most)
	if l.err == nil && v&(v-1) != 0 {
		l.fail(n, "%s: found %d, want a power of two", what, v)
	}
	return int(v)
}

// checkWidths sees to it that the JEC and two thread counters fit in one word.
func (l *loader) checkWidths(p PoolSpec, f *fields) {
	jecBits, threadBits := p.Widths()
	if l.err != nil || jecBits+2*threadBits <= 64 {
		return
	}
	at := "jec-bits"
	if !f.has(at) {
		at = "thread-bits"
	}
	l.fail(f.value(at), "pool: %d jec-bits and twice %d thread-bits are %d bits, want at most 64",
		jecBits, threadBits, jecBits+2*threadBits)
}

func (l *loader) workers(n ast.Node, p PoolSpec) (sizes []int) {
	elements := l.elements(n, "workers")
	if l.err == nil && (len(elements) == 0 || len(elements) > maxPoolSizes) {
		l.fail(n, "workers: the list has %d pool sizes, want 1 to %d", len(elements), maxPoolSizes)
	}
	_, threadBits := p.Widths()
	counted := int64(1)<<threadBits - 1
	for _, e := range elements {
		if l.err != nil {
			return nil
		}
		sizes = append(sizes, int(l.number(e, "workers", 1, min(counted, maxWorkers))))
		if l.err != nil && counted < maxWorkers {
			l.err.Problem += fmt.Sprintf(": %d thread-bits count no further", threadBits)
		}
	}
	return sizes
}

// initialJEC is a number, or max: the last value before the counter wraps.
func (l *loader) initialJEC(n ast.Node, p PoolSpec) uint64 {
	jecBits, _ := p.Widths()
	most := uint64(1)<<jecBits - 1
	if s, ok := l.resolve(n).(*ast.StringNode); ok && s.Value == "max" {
		return most
	}
	v, ok := l.resolve(n).(*ast.IntegerNode)
	if !ok {
		l.fail(n, "initial-jec: found %s, want a whole number or max", found(l.resolve(n)))
		return 0
	}
	jec := l.unsigned(v, "initial-jec")
	if jec > most {
		l.fail(n, "initial-jec: found %d, want at most %d (max): %d jec-bits count no further", jec, most, jecBits)
	}
	return jec
}

// checkWorkers refuses pool sizes with which the workload makes no sense.
func (l *loader) checkWorkers(sc *Scenario, f *fields) {
	w, ok := l.cat.workload(sc.Workload)
	if !ok {
		return
	}
	for _, size := range sc.Pool.Workers {
		switch {
		case size < w.least:
			l.fail(f.value("pool"), "pool: found %s, want at least %d: the workload %s is for no less", plural(size, "worker"), w.least, w.Name)
		case w.most > 0 && size > w.most:
			l.fail(f.value("pool"), "pool: found %s, want at most %d: the workload %s is for no more", plural(size, "worker"), w.most, w.Name)
		}
	}
}
