//go:build chaos

package control

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/racing"
)

// A litmus test is a few tasks and what they can come to, by the model of memory.
type litmus struct {
	name string
	// subject starts the tasks and returns what reports, when all have ended, what they
	// came to.
	subject func(start func(fs ...func())) func() string
	// outcomes has what each can be under SC, TSO and Views, in that order: "a" is
	// acceptable, "i" interesting - possible but surprising -, "-"
	// forbidden. What is not here is forbidden.
	outcomes map[string]string
	// large: there are too many schedules for all of them. DPOR sees one of each set of
	// those that differ in nothing.
	large bool
}

var memories = []Memory{SC, TSO, Views}

// words are variables of a litmus test, and what was read.
type words struct{ x, y, z atomic.Uint32 }

const (
	rlx = memory.Relaxed
	acq = memory.Acquire
	rel = memory.Release
	sc  = memory.SeqCst
)

func set(x *atomic.Uint32, v uint32, o memory.Order)  { memory.StoreUint32(x, v, o) }
func get(x *atomic.Uint32, o memory.Order) uint32     { return memory.LoadUint32(x, o) }
func swap(x *atomic.Uint32, v uint32, o memory.Order) { memory.SwapUint32(x, v, o) }
func plus(x *atomic.Uint32, v uint32, o memory.Order) { memory.AddUint32(x, v, o) }
func results(r ...*uint32) func() string {
	return func() string {
		var all []string
		for _, v := range r {
			all = append(all, fmt.Sprint(*v))
		}
		return strings.Join(all, " ")
	}
}

// storeBuffering: each says that it is there and then looks for the other.
func storeBuffering(say, look memory.Order, between func(n int)) func(start func(fs ...func())) func() string {
	return func(start func(fs ...func())) func() string {
		var w words
		var a, b uint32
		start(
			func() { set(&w.x, 1, say); between(0); a = get(&w.y, look) },
			func() { set(&w.y, 1, say); between(1); b = get(&w.x, look) },
		)
		return results(&a, &b)
	}
}

// messagePassing: one writes a message and then a flag, the other reads the flag and
// then the message.
func messagePassing(send, receive memory.Order, sent, received func()) func(start func(fs ...func())) func() string {
	return func(start func(fs ...func())) func() string {
		var w words
		var flag, message uint32
		start(
			func() { set(&w.x, 1, rlx); sent(); set(&w.y, 1, send) },
			func() { flag = get(&w.y, receive); received(); message = get(&w.x, rlx) },
		)
		return results(&flag, &message)
	}
}

// independentReads: two write to two places, and two others read both, in the other
// order.
func independentReads(write, read memory.Order, between func()) func(start func(fs ...func())) func() string {
	return func(start func(fs ...func())) func() string {
		var w words
		var a, b, c, d uint32
		start(
			func() { set(&w.x, 1, write) },
			func() { set(&w.y, 1, write) },
			func() { a = get(&w.x, read); between(); b = get(&w.y, read) },
			func() { c = get(&w.y, read); between(); d = get(&w.x, read) },
		)
		return results(&a, &b, &c, &d)
	}
}

func none()      {}
func noneOf(int) {}
func full()      { memory.Fence(sc) }
func fullOf(int) { memory.Fence(sc) }
func onlyFirst(n int) {
	if n == 0 {
		memory.Fence(sc)
	}
}

// with adds an outcome to those that every model accepts.
func with(outcome, classes string, accepted ...string) map[string]string {
	all := map[string]string{outcome: classes}
	for _, o := range accepted {
		all[o] = "aaa"
	}
	return all
}

func irow(classes string) map[string]string {
	var others []string
	for n := range 16 {
		if o := fmt.Sprintf("%d %d %d %d", n>>3&1, n>>2&1, n>>1&1, n&1); o != "1 0 1 0" {
			others = append(others, o)
		}
	}
	return with("1 0 1 0", classes, others...)
}

var litmusTests = []litmus{
	{name: "SB relaxed", subject: storeBuffering(rlx, rlx, noneOf), outcomes: with("0 0", "-ii", "0 1", "1 0", "1 1")},
	{name: "SB release, acquire", subject: storeBuffering(rel, acq, noneOf), outcomes: with("0 0", "-ii", "0 1", "1 0", "1 1")},
	{name: "SB seq-cst", subject: storeBuffering(sc, sc, noneOf), outcomes: with("0 0", "---", "0 1", "1 0", "1 1")},
	{name: "SB seq-cst stores, acquire loads", subject: storeBuffering(sc, acq, noneOf), outcomes: with("0 0", "--i", "0 1", "1 0", "1 1")},
	{name: "SB relaxed, fences", subject: storeBuffering(rlx, rlx, fullOf), outcomes: with("0 0", "---", "0 1", "1 0", "1 1")},
	{name: "SB relaxed, one fence", subject: storeBuffering(rlx, rlx, onlyFirst), outcomes: with("0 0", "-ii", "0 1", "1 0", "1 1")},
	{name: "SB hooks/atomic", subject: func(start func(fs ...func())) func() string {
		var w words
		var a, b uint32
		start(func() { w.x.Store(1); a = w.y.Load() }, func() { w.y.Store(1); b = w.x.Load() })
		return results(&a, &b)
	}, outcomes: with("0 0", "---", "0 1", "1 0", "1 1")},
	{name: "SB swaps", subject: func(start func(fs ...func())) func() string {
		var w words
		var a, b uint32
		start(func() { swap(&w.x, 1, rlx); a = get(&w.y, rlx) }, func() { swap(&w.y, 1, rlx); b = get(&w.x, rlx) })
		return results(&a, &b)
	}, outcomes: with("0 0", "--i", "0 1", "1 0", "1 1")},
	{name: "SB relaxed, a swap of something else between", subject: func(start func(fs ...func())) func() string {
		var w, other words
		var a, b uint32
		start(
			func() { set(&w.x, 1, rlx); swap(&other.x, 1, rlx); a = get(&w.y, rlx) },
			func() { set(&w.y, 1, rlx); swap(&other.y, 1, rlx); b = get(&w.x, rlx) },
		)
		return results(&a, &b)
	}, outcomes: with("0 0", "--i", "0 1", "1 0", "1 1")},
	{name: "SB reading back", subject: func(start func(fs ...func())) func() string {
		var w words
		var a, b, c, d uint32
		start(
			func() { set(&w.x, 1, rlx); a = get(&w.x, rlx); b = get(&w.y, rlx) },
			func() { set(&w.y, 1, rlx); c = get(&w.y, rlx); d = get(&w.x, rlx) },
		)
		return results(&a, &b, &c, &d)
	}, outcomes: with("1 0 1 0", "-ii", "1 0 1 1", "1 1 1 0", "1 1 1 1")},

	{name: "MP relaxed", subject: messagePassing(rlx, rlx, none, none), outcomes: with("1 0", "--i", "0 0", "0 1", "1 1")},
	{name: "MP release, acquire", subject: messagePassing(rel, acq, none, none), outcomes: with("1 0", "---", "0 0", "0 1", "1 1")},
	{name: "MP release, relaxed", subject: messagePassing(rel, rlx, none, none), outcomes: with("1 0", "--i", "0 0", "0 1", "1 1")},
	{name: "MP relaxed, acquire", subject: messagePassing(rlx, acq, none, none), outcomes: with("1 0", "--i", "0 0", "0 1", "1 1")},
	{name: "MP relaxed, fences", subject: messagePassing(rlx, rlx, func() { memory.Fence(rel) }, func() { memory.Fence(acq) }), outcomes: with("1 0", "---", "0 0", "0 1", "1 1")},
	{name: "MP relaxed, a release fence", subject: messagePassing(rlx, rlx, func() { memory.Fence(rel) }, none), outcomes: with("1 0", "--i", "0 0", "0 1", "1 1")},
	{name: "MP through a swap", subject: func(start func(fs ...func())) func() string {
		var w words
		var flag, message uint32
		start(
			func() { set(&w.x, 1, rlx); set(&w.y, 1, rel) },
			func() { memory.CompareAndSwapUint32(&w.y, 1, 2, rlx, rlx) },
			func() { flag = get(&w.y, acq); message = get(&w.x, rlx) },
		)
		return results(&flag, &message)
	}, outcomes: with("2 0", "---", "0 0", "0 1", "1 1", "2 1")},
	{name: "MP through a store", subject: func(start func(fs ...func())) func() string {
		var w words
		var flag, message uint32
		start(
			func() { set(&w.x, 1, rlx); set(&w.y, 1, rel) },
			func() {
				if get(&w.y, rlx) == 1 {
					set(&w.y, 2, rlx)
				}
			},
			func() { flag = get(&w.y, acq); message = get(&w.x, rlx) },
		)
		return results(&flag, &message)
	}, outcomes: with("2 0", "--i", "0 0", "0 1", "1 1", "2 1")},

	{name: "IRIW relaxed", subject: independentReads(rlx, rlx, none), outcomes: irow("--i"), large: true},
	{name: "IRIW release, acquire", subject: independentReads(rel, acq, none), outcomes: irow("--i")},
	{name: "IRIW seq-cst", subject: independentReads(sc, sc, none), outcomes: irow("---")},
	{name: "IRIW relaxed stores, seq-cst loads", subject: independentReads(rlx, sc, none), outcomes: irow("---"), large: true},
	{name: "IRIW relaxed, fences", subject: independentReads(rlx, rlx, full), outcomes: irow("---"), large: true},

	{name: "CoRR", subject: func(start func(fs ...func())) func() string {
		var w words
		var a, b uint32
		start(
			func() { set(&w.x, 1, rlx); set(&w.x, 2, rlx) },
			func() { a = get(&w.x, rlx); b = get(&w.x, rlx) },
		)
		return results(&a, &b)
	}, outcomes: with("1 0", "---", "0 0", "0 1", "0 2", "1 1", "1 2", "2 2")},
	{name: "CoRR, two readers", subject: func(start func(fs ...func())) func() string {
		var w words
		var a, b, c, d uint32
		start(
			func() { set(&w.x, 1, rlx) },
			func() { set(&w.x, 2, rlx) },
			func() { a = get(&w.x, rlx); b = get(&w.x, rlx) },
			func() { c = get(&w.x, rlx); d = get(&w.x, rlx) },
		)
		return func() string {
			if a != 0 && c != 0 && a != b && c != d && a == d && b == c {
				return "they disagree"
			}
			return "they agree"
		}
	}, outcomes: with("they disagree", "---", "they agree"), large: true},
	{name: "LB", subject: func(start func(fs ...func())) func() string {
		var w words
		var a, b uint32
		start(
			func() { a = get(&w.x, rlx); set(&w.y, 1, rlx) },
			func() { b = get(&w.y, rlx); set(&w.x, 1, rlx) },
		)
		return results(&a, &b)
	}, outcomes: with("1 1", "---", "0 0", "0 1", "1 0")},
	{name: "R", subject: func(start func(fs ...func())) func() string {
		var w words
		var a uint32
		start(
			func() { set(&w.x, 1, rlx); set(&w.y, 1, rlx) },
			func() { set(&w.y, 2, rlx); a = get(&w.x, rlx) },
		)
		return func() string { return fmt.Sprint(a, " ", w.y.Load()) }
	}, outcomes: with("0 2", "-ii", "0 1", "1 1", "1 2")},
	{name: "WRC relaxed", subject: causality(rlx, rlx), outcomes: with("1 1 0", "--i", "0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 1")},
	{name: "WRC release, acquire", subject: causality(rel, acq), outcomes: with("1 1 0", "---", "0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 1")},
	{name: "counting", subject: func(start func(fs ...func())) func() string {
		var w words
		start(func() { plus(&w.x, 1, rlx) }, func() { plus(&w.x, 1, rlx) }, func() { plus(&w.x, 1, rlx) })
		return func() string { return fmt.Sprint(w.x.Load()) }
	}, outcomes: with("2", "---", "3")},

	{name: "MP by a mutex", subject: func(start func(fs ...func())) func() string {
		var w words
		var mu sync.Mutex
		var flag bool
		var seen string
		start(
			func() { set(&w.x, 1, rlx); mu.Lock(); flag = true; mu.Unlock() },
			func() { mu.Lock(); f := flag; mu.Unlock(); seen = fmt.Sprint(f, " ", get(&w.x, rlx)) },
		)
		return func() string { return seen }
	}, outcomes: with("true 0", "---", "false 0", "false 1", "true 1")},
	{name: "MP by a wait group", subject: func(start func(fs ...func())) func() string {
		var w words
		var wg sync.WaitGroup
		var a uint32
		wg.Add(1)
		start(func() { set(&w.x, 1, rlx); wg.Done() }, func() { wg.Wait(); a = get(&w.x, rlx) })
		return results(&a)
	}, outcomes: with("0", "---", "1")},
	{name: "MP by a channel", subject: func(start func(fs ...func())) func() string {
		var w words
		c := make(chan int)
		var a, b uint32
		start(
			func() { set(&w.x, 1, rlx); channel.Send(c, 1); a = get(&w.y, rlx) },
			func() { set(&w.y, 1, rlx); channel.Receive(c); b = get(&w.x, rlx) },
		)
		return results(&a, &b)
	}, outcomes: with("0 1", "---", "1 1")},
	{name: "MP by a condition", subject: func(start func(fs ...func())) func() string {
		var w words
		var mu sync.Mutex
		c := sync.NewCond(&mu)
		flag := false
		var a uint32
		start(
			func() { set(&w.x, 1, rlx); mu.Lock(); flag = true; c.Signal(); mu.Unlock() },
			func() {
				mu.Lock()
				for !flag {
					c.Wait()
				}
				mu.Unlock()
				a = get(&w.x, rlx)
			},
		)
		return results(&a)
	}, outcomes: with("0", "---", "1")},
	{name: "MP by a start", subject: func(start func(fs ...func())) func() string {
		var w words
		var a uint32
		set(&w.x, 1, rlx)
		start(func() { a = get(&w.x, rlx) })
		return results(&a)
	}, outcomes: with("0", "---", "1")},
	{name: "a loop that waits", subject: func(start func(fs ...func())) func() string {
		var w words
		var a uint32
		start(
			func() { set(&w.x, 1, rlx); set(&w.y, 1, rel) },
			func() {
				for get(&w.y, acq) == 0 {
				}
				a = get(&w.x, rlx)
			},
		)
		return results(&a)
	}, outcomes: with("0", "---", "1")},
}

// causality: one writes, another reads that and writes elsewhere, a third reads that
// and then the first.
func causality(write, read memory.Order) func(start func(fs ...func())) func() string {
	return func(start func(fs ...func())) func() string {
		var w words
		var a, b, c uint32
		start(
			func() { set(&w.x, 1, write) },
			func() { a = get(&w.x, read); set(&w.y, 1, write) },
			func() { b = get(&w.y, read); c = get(&w.x, rlx) },
		)
		return results(&a, &b, &c)
	}
}

// An outcomeCount is how often it came about, and how often with a cycle that no
// sequentially consistent memory has.
type outcomeCount struct{ all, cyclic int }

// runLitmus explores a litmus test.
func runLitmus(t *testing.T, l litmus, m Memory, s strategy.Strategy, most int) (found map[string]outcomeCount, executions int) {
	t.Helper()
	e := start(t, Options{Memory: m, Strategy: s, MaxSpins: 3})
	defer e.Close()
	found = make(map[string]outcomeCount)
	for executions < most {
		var say func() string
		r, more := e.Run(uint64(executions), func() {
			say = l.subject(func(fs ...func()) {
				for _, f := range fs {
					e.Go(f)
				}
			})
		})
		if !more {
			return found, executions
		}
		executions++
		what := say()
		if r.Summary != "" {
			what = string(r.Verdict) + ": " + r.Summary
		}
		n := found[what]
		n.all++
		if e.Cause() != "" {
			n.cyclic++
		}
		found[what] = n
	}
	if x, ok := s.(strategy.Exhaustive); ok && !x.Complete() {
		t.Errorf("%s, %v: not done after %d executions by %s", l.name, m, executions, s.Name())
	}
	return found, executions
}

// Every litmus test, exhaustively: the outcomes are just those that the model allows,
// and whatever no sequentially consistent memory can come to is known to be so.
func TestLitmus(t *testing.T) {
	for _, l := range slices.Concat(litmusTests, sleepLitmus, tickleLitmus) {
		t.Run(l.name, func(t *testing.T) {
			for i, m := range memories {
				reduced, k := runLitmus(t, l, m, strategy.DPOR(), 1_000_000)
				found, n := reduced, k
				if !l.large && !racing.Detector {
					found, n = runLitmus(t, l, m, strategy.DFS(-1), 1_000_000)
				}
				if a, b := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(reduced)); !slices.Equal(a, b) {
					t.Errorf("%v: DFS finds %q in %d executions, DPOR %q in %d", m, a, n, b, k)
				}
				var table []string
				for _, o := range slices.Sorted(maps.Keys(l.outcomes)) {
					class, count := l.outcomes[o][i], found[o]
					table = append(table, fmt.Sprintf("%-16s %-12s %d", o, classes[class], count.all))
					if (class == '-') == (count.all > 0) {
						t.Errorf("%v: %s is %s and came about %d times", m, o, classes[class], count.all)
					}
					if want := l.outcomes[o][0] == '-'; want && count.cyclic != count.all || !want && l.name != "CoRR, two readers" && count.cyclic > 0 {
						t.Errorf("%v: %s: of %d executions, %d are taken for what no sequentially consistent memory has", m, o, count.all, count.cyclic)
					}
				}
				for _, o := range slices.Sorted(maps.Keys(found)) {
					if l.outcomes[o] == "" {
						t.Errorf("%v: %s came about %d times", m, o, found[o].all)
					}
				}
				t.Logf("%v, %d schedules, %d by DPOR:\n%s", m, n, k, strings.Join(table, "\n"))
			}
		})
	}
}

var classes = map[byte]string{'a': "acceptable", 'i': "interesting", '-': "forbidden"}
