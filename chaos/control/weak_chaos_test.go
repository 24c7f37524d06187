//go:build chaos

package control

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
)

// weakly uses declared orders of all kinds, besides everything else.
func weakly() {
	var x, y, z atomic.Uint64
	var flag atomic.Bool
	tasks(func() {
		for i := range uint64(3) {
			memory.StoreUint64(&x, i, memory.Relaxed)
			memory.StoreUint64(&y, i, memory.Release)
			memory.LoadUint64(&z, memory.Acquire)
		}
		memory.Fence(memory.SeqCst)
		memory.StoreBool(&flag, true, memory.Release)
	}, func() {
		for !memory.LoadBool(&flag, memory.Acquire) {
			memory.AddUint64(&z, memory.LoadUint64(&x, memory.Relaxed)+memory.LoadUint64(&y, memory.Relaxed)<<8, memory.Relaxed)
			memory.Fence(memory.AcqRel)
		}
	})
	for range 3 {
		memory.CompareAndSwapUint64(&z, memory.LoadUint64(&z, memory.Relaxed), memory.LoadUint64(&y, memory.SeqCst), memory.AcqRel, memory.Relaxed)
		x.Store(z.Load())
	}
	everything()
}

// The same seed gives the same trace under a weak memory, too, whatever the strategy
// and the mechanism, and so does the schedule, read back from its text.
func TestWeakMemoryRepeats(t *testing.T) {
	strategies := []func() strategy.Strategy{
		strategy.Random, strategy.PCTCycle, strategy.POS, strategy.URW, strategy.SURW,
		func() strategy.Strategy { return strategy.Portfolio() },
	}
	for _, m := range []Memory{TSO, Views} {
		for _, by := range strategies {
			var hashes []uint64
			var texts []string
			picks, pseudo := 0, 0
			bySwitch(t, func(t *testing.T, how Switch) {
				e := start(t, Options{Switch: how, Plan: everyFault, Memory: m, Strategy: by()})
				defer e.Close()
				for n := range 40 {
					r, _ := e.Run(uint64(n), weakly)
					if n < len(hashes) {
						if r.Hash != hashes[n] {
							t.Fatalf("%v, %s, seed %d: trace %016x, want %016x", m, e.in.Strategy.Name(), n, r.Hash, hashes[n])
						}
						continue
					}
					hashes = append(hashes, r.Hash)
					rec := recording.Recording{Kind: recording.Controlled, Subject: "p T", Verdict: r.Verdict, Hash: r.Hash, Entries: recording.Entries(r.Schedule, e.Path)}
					texts = append(texts, rec.String())
					for _, d := range r.Schedule.Deviations {
						if d.Pick > 0 {
							picks++
						}
						if strings.HasSuffix(e.Path(d.To), strategy.BufferSuffix) {
							pseudo++
						}
					}
				}
			})
			if picks == 0 || m == TSO && pseudo == 0 {
				t.Errorf("%v: %d picks and %d flushes were chosen", m, picks, pseudo)
			}
			bySwitch(t, func(t *testing.T, how Switch) {
				e := start(t, Options{Switch: how, Memory: m})
				defer e.Close()
				for n, text := range texts {
					rec, err := recording.Parse("text", text)
					if err != nil {
						t.Fatal(err)
					}
					r, unused := e.Repeat(rec.Schedule(), weakly)
					if r.Hash != hashes[n] || unused.Len() != 0 {
						t.Fatalf("%v: repeating seed %d: trace %016x, want %016x; %d entries did not apply", m, n, r.Hash, hashes[n], unused.Len())
					}
				}
			})
		}
	}
}

func TestUnknownMemoryIsRefused(t *testing.T) {
	for _, m := range []Memory{-1, Views + 1} {
		if e, err := New(Options{Memory: m}); err == nil || !strings.Contains(err.Error(), m.String()) {
			t.Errorf("%v: %v", m, err)
			e.Close()
		}
	}
	for _, m := range memories {
		if got, ok := ParseMemory(m.String()); !ok || got != m {
			t.Errorf("%v is parsed as %v", m, got)
		}
	}
}

// No task interferes: then the memory is sequentially consistent, and the trace that
// of the ordinary engine.
func TestWeakMemoryByDefault(t *testing.T) {
	hash := func(m Memory) uint64 {
		e := start(t, Options{Memory: m, Strategy: strategy.Default()})
		defer e.Close()
		r, _ := e.Run(1, everything)
		return r.Hash
	}
	for _, m := range []Memory{TSO, Views} {
		if got, want := hash(m), hash(SC); got != want {
			t.Errorf("%v: trace %016x, want %016x", m, got, want)
		}
	}
}

// stale reads x twice, once an old value: what was stored must come out again,
// whatever the type.
func stale[X any, T comparable](e *Engine, load func(*X, memory.Order) T, store func(*X, T, memory.Order), values ...T) func() string {
	x := new(X)
	store(x, values[0], memory.Relaxed)
	var seen []T
	done := new(atomic.Bool)
	e.Go(func() {
		for _, v := range values[1:] {
			store(x, v, memory.Relaxed)
			if got := load(x, memory.Relaxed); got != v {
				e.Fail(verdict.WrongResult, fmt.Sprintf("%T: its own store of %v reads as %v", x, v, got))
			}
		}
		done.Store(true)
	})
	e.Go(func() {
		for !done.Load() {
			seen = append(seen, load(x, memory.Relaxed))
		}
		seen = append(seen, load(x, memory.Relaxed), load(x, memory.Relaxed))
	})
	return func() string {
		at := 0
		for _, v := range seen {
			i := slices.Index(values[at:], v)
			if i < 0 {
				return fmt.Sprintf("%T: %v were read, stored %v", x, seen, values)
			}
			at += i
		}
		if last := load(x, memory.Relaxed); last != values[len(values)-1] { // not under control
			return fmt.Sprintf("%T: %v is left of %v", x, last, values)
		}
		return ""
	}
}

func TestWeakMemoryKeepsValues(t *testing.T) {
	a, b := new(int), new(int)
	for _, m := range []Memory{TSO, Views} {
		for name, subject := range map[string]func(e *Engine) func() string{
			"Int32":  func(e *Engine) func() string { return stale(e, memory.LoadInt32, memory.StoreInt32, -1<<31, 7, -1) },
			"Uint32": func(e *Engine) func() string { return stale(e, memory.LoadUint32, memory.StoreUint32, 1<<32-1, 7, 0) },
			"Int64":  func(e *Engine) func() string { return stale(e, memory.LoadInt64, memory.StoreInt64, -1<<63, 7, -1) },
			"Uint64": func(e *Engine) func() string { return stale(e, memory.LoadUint64, memory.StoreUint64, 1<<64-1, 7, 0) },
			"Uintptr": func(e *Engine) func() string {
				return stale(e, memory.LoadUintptr, memory.StoreUintptr, ^uintptr(0), 7, 0)
			},
			"Bool": func(e *Engine) func() string { return stale(e, memory.LoadBool, memory.StoreBool, true, false) },
			"Pointer": func(e *Engine) func() string {
				return stale(e, memory.LoadPointer[int], memory.StorePointer[int], a, nil, b)
			},
		} {
			e := start(t, Options{Memory: m})
			old := 0
			for n := range 300 {
				var check func() string
				r, _ := e.Run(uint64(n), func() { check = subject(e) })
				if r.Verdict != verdict.Pass {
					t.Errorf("%v, %s: %s: %s", m, name, r.Verdict, r.Summary)
				}
				if what := check(); what != "" {
					t.Errorf("%v: %s", m, what)
				}
				if old == 0 {
					_, events := e.Trace(r.Schedule.Clone(), func() { subject(e) })
					for i := range events {
						if events[i].Note != "" {
							old++
						}
					}
				}
			}
			if old == 0 {
				t.Errorf("%v, %s: no old value was read, no store delayed", m, name)
			}
			e.Close()
		}
	}
}

// An abandoned execution leaves the variables as the newest stores do.
func TestWeakMemoryAbandoned(t *testing.T) {
	for _, m := range []Memory{TSO, Views} {
		e := start(t, Options{Memory: m})
		for n := range 50 {
			var x, y atomic.Uint32
			var during uint32
			r, _ := e.Run(uint64(n), func() {
				var mu sync.Mutex
				e.Go(func() {
					defer func() { during = memory.LoadUint32(&x, memory.Relaxed) }()
					memory.StoreUint32(&x, 1, memory.Relaxed)
					memory.LoadUint32(&y, memory.Relaxed)
					mu.Lock()
					mu.Lock()
				})
			})
			if r.Effect != verdict.Leak || x.Load() != 1 || during != 1 {
				t.Errorf("%v: %s, x is %d, and was %d to a deferred call", m, r.Verdict, x.Load(), during)
			}
		}
		e.Close()
	}
}

// broken is what fails if two tasks miss each other, and relies on sequential
// consistency.
func broken(e *Engine) func() {
	return func() {
		var w words
		var wg sync.WaitGroup
		missed := make([]bool, 2)
		wg.Go(func() {
			memory.StoreUint32(&w.x, 1, rel)
			missed[0] = memory.LoadUint32(&w.y, acq) == 0
			get(&w.z, rlx)
		})
		wg.Go(func() {
			memory.StoreUint32(&w.y, 1, rel)
			missed[1] = memory.LoadUint32(&w.x, acq) == 0
			get(&w.z, rlx)
		})
		wg.Go(func() { set(&w.z, 1, rlx); get(&w.x, rlx) })
		wg.Wait()
		if missed[0] && missed[1] {
			e.Fail(verdict.Deadlock, "they have missed each other")
		}
	}
}

// wrongAnyway fails under any memory, and has much of a weak one besides that.
func wrongAnyway(e *Engine) func() {
	return func() {
		var w words
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				set(&w.y, 1, rlx)
				get(&w.z, rlx)
				n := w.x.Load()
				w.x.Store(n + 1)
				set(&w.z, 1, rlx)
				get(&w.y, rlx)
			})
		}
		wg.Wait()
		if n := w.x.Load(); n != 2 {
			e.Fail(verdict.WrongResult, "a count is lost")
		}
	}
}

// What fails only because of the memory is distinguished from what fails anyway, once it is
// shrunk, and the place is one of those that matter.
func TestReliesOnSC(t *testing.T) {
	for _, m := range []Memory{TSO, Views} {
		for name, c := range map[string]struct {
			subject func(e *Engine) func()
			want    verdict.Verdict
			effect  verdict.Verdict
		}{
			"broken": {broken, verdict.ReliesOnSC, verdict.Deadlock},
			"racy":   {wrongAnyway, verdict.WrongResult, verdict.WrongResult},
		} {
			t.Run(fmt.Sprint(m, " ", name), func(t *testing.T) {
				e := start(t, Options{Memory: m})
				body := c.subject(e)
				for n := range 2000 {
					r, _ := e.Run(uint64(n), body)
					if r.Verdict == verdict.Pass {
						continue
					}
					if r.Effect != c.effect {
						t.Fatalf("%s, in effect %s: %s", r.Verdict, r.Effect, r.Summary)
					}
					schedule, _ := recording.Shrink(r.Schedule, func(s strategy.Schedule) (strategy.Schedule, bool) {
						again, _ := e.Repeat(s, body)
						return again.Schedule, again.Effect == c.effect
					}, 2000)
					result, events := e.Trace(schedule, body)
					if result.Verdict != c.want || (result.Cause != "") != (c.want == verdict.ReliesOnSC) {
						t.Fatalf("%s in effect %s, %q; want %s", result.Verdict, result.Effect, result.Cause, c.want)
					}
					noted := 0
					for _, v := range events {
						if v.Note != "" {
							noted++
						}
					}
					if c.want == verdict.ReliesOnSC {
						if !strings.Contains(result.Cause, "weak_chaos_test.go:") || noted == 0 {
							t.Errorf("cause %q, %d events have a note", result.Cause, noted)
						}
						again, _ := e.Repeat(schedule, body)
						if again.Verdict != result.Verdict || again.Cause != result.Cause || again.Hash != result.Hash {
							t.Errorf("repeated: %s, %q", again.Verdict, again.Cause)
						}
					} else if noted != 0 {
						t.Errorf("%d weak operations are left", noted)
					}
					t.Logf("execution %d, %d decisions of %d: %s in effect %s: %s", n, schedule.Len(), r.Schedule.Len(), result.Verdict, result.Effect, result.Cause)
					return
				}
				t.Fatal("not found")
			})
		}
	}
}

// A load of a variable to which nothing is ever stored is overwritten by nothing.
func TestReliesOnSCBesideUnwritten(t *testing.T) {
	e := start(t, Options{Memory: Views})
	for n := range uint64(300) {
		r, _ := e.Run(n, func() {
			var x, y, unwritten atomic.Uint32
			e.Go(func() { set(&x, 1, rlx); set(&y, 1, rlx) })
			e.Go(func() {
				if get(&y, rlx) == 1 && get(&x, rlx) == 0 {
					get(&unwritten, rlx)
					e.Fail(verdict.WrongResult, "the message is missing")
				}
			})
		})
		if r.Verdict != verdict.Pass {
			if r.Verdict != verdict.ReliesOnSC {
				t.Errorf("%s, want relies-on-sc", r.Verdict)
			}
			return
		}
	}
	t.Error("not found")
}

// What declared orders publish is published to the race detector, too: from a buffer
// that another task empties, and from a store that is not the newest.
func TestWeakMemoryPublishes(t *testing.T) {
	for _, m := range []Memory{TSO, Views} {
		e := start(t, Options{Memory: m})
		both := make(map[uint32]bool)
		for n := range 300 {
			e.Run(uint64(n), func() {
				var flag, other atomic.Uint32
				var data [3]int // plain
				for i := range uint32(2) {
					e.Go(func() {
						data[i+1] = 1
						memory.StoreUint32(&flag, i+1, memory.Release)
						memory.LoadUint32(&other, memory.Relaxed)
					})
				}
				e.Go(func() {
					for range 3 {
						if f := memory.LoadUint32(&flag, memory.Acquire); f != 0 {
							data[f]++
							both[f] = true
							return
						}
					}
				})
			})
		}
		if len(both) != 2 {
			t.Errorf("%v: %v were read", m, both)
		}
		e.Close()
	}
}
