package strategy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// resumables are makers of every strategy that has a name, and of some more.
func resumables(t *testing.T) map[string]func() Resumable {
	t.Helper()
	all := map[string]func() Resumable{}
	names := append(Names(), "dfs(0)", "dfs(1)", "dfs(2)", "pct(4)")
	for _, name := range names {
		name = strings.Replace(name, "(N)", "(3)", 1)
		if _, ok := mustParse(t, name).(Resumable); !ok {
			t.Errorf("%s has no state to say", name)
			continue
		}
		all[name] = func() Resumable { return mustParse(t, name).(Resumable) }
	}
	mixed := func() Resumable { return Portfolio(DFS(1), SURW(), DPOR(), PCT(2)).(Resumable) }
	all[mixed().Name()] = mixed
	return all
}

// whole is the whole state.
func whole(t *testing.T, s Resumable) []byte {
	t.Helper()
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// restored is a new strategy with that state.
func restored(t *testing.T, fresh func() Resumable, state []byte) Resumable {
	t.Helper()
	s := fresh()
	if err := s.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	return s
}

// A trail is what a strategy has run, and what it says of it.
type trail struct {
	schedules []string
	complete  bool
	count     int
	share     float64
	ended     bool
}

func (r *trail) ends(s Strategy) {
	if x, ok := s.(Exhaustive); ok {
		r.complete, r.count, r.share = x.Complete(), x.Schedules(), x.Share()
	}
}

// follow runs at most so many executions. After each, next says which strategy goes on.
func follow(p *program, s Strategy, most int, next func(n int, s Strategy) Strategy) (r trail) {
	m := newSim(p)
	m.limit = limitOf(p)
	for n := range most {
		if _, more := m.execute(s, Execution{Number: n, Seed: 5 + uint64(n)*0x9e3779b97f4a7c15}); !more {
			r.ended = true
			break
		}
		r.schedules = append(r.schedules, m.schedule())
		s = next(n, s)
	}
	r.ends(s)
	return r
}

// limitOf cuts the executions of some programs.
func limitOf(p *program) int {
	if len(p.tasks) == 2 {
		return 8
	}
	return 200
}

func same(_ int, s Strategy) Strategy { return s }

// samples calls test with small programs for each strategy.
func samples(t *testing.T, programs int, test func(t *testing.T, p *program, fresh func() Resumable)) {
	for name, fresh := range resumables(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range uint64(programs) {
				r := rand.New(rand.NewPCG(3, i))
				p := generate(r, 4+r.IntN(6))
				if test(t, p, fresh); t.Failed() {
					t.Fatalf("program %d: %+v", i, p)
				}
			}
		})
	}
}

// mostFollowed is enough for portfolios to learn, and for rounds to follow one another.
const mostFollowed = 200

// TestResumedAfterEach: a strategy that is replaced after each execution by a new one with its
// state makes the choices, and comes to the end, of one that never stops.
func TestResumedAfterEach(t *testing.T) {
	samples(t, 6, func(t *testing.T, p *program, fresh func() Resumable) {
		want := follow(p, fresh(), mostFollowed, same)
		var states [][]byte
		follow(p, fresh(), mostFollowed, func(_ int, s Strategy) Strategy {
			states = append(states, whole(t, s.(Resumable)))
			return s
		})
		got := follow(p, restored(t, fresh, whole(t, fresh())), mostFollowed, func(n int, s Strategy) Strategy {
			state := whole(t, s.(Resumable))
			if !bytes.Equal(state, states[n]) {
				t.Fatalf("after execution %d its state is another", n)
			}
			return restored(t, fresh, state)
		})
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %d executions, %+v\nwant %d, %+v", len(got.schedules), got, len(want.schedules), want)
		}
	})
}

// TestResumedOnce: cut after any one execution, an exploration goes on as if it had not been.
func TestResumedOnce(t *testing.T) {
	samples(t, 3, func(t *testing.T, p *program, fresh func() Resumable) {
		const most = 60
		want := follow(p, fresh(), most, same)
		for cut := range want.schedules {
			got := follow(p, fresh(), most, func(n int, s Strategy) Strategy {
				if n == cut {
					return restored(t, fresh, whole(t, s.(Resumable)))
				}
				return s
			})
			if !reflect.DeepEqual(got, want) {
				t.Errorf("cut after %d: got  %+v\nwant %+v", cut, got, want)
			}
		}
	})
}

// TestAStateIsNeeded: what a strategy learns matters, or the tests above could not fail.
func TestAStateIsNeeded(t *testing.T) {
	learns := map[string]int{}
	var mu sync.Mutex
	samples(t, 6, func(t *testing.T, p *program, fresh func() Resumable) {
		want := follow(p, fresh(), mostFollowed, same)
		got := follow(p, fresh(), mostFollowed, func(int, Strategy) Strategy { return fresh() })
		mu.Lock()
		defer mu.Unlock()
		if !reflect.DeepEqual(got.schedules, want.schedules) {
			learns[fresh().Name()]++
		}
	})
	t.Cleanup(func() {
		for name := range resumables(t) { // when all have ended
			knows := name != "random" && name != "pos" && name != "default"
			if n := learns[name]; (n > 0) != knows {
				t.Errorf("%s goes on without a state as with it, but for %d programs", name, n)
			}
		}
	})
}

// TestStatesGrow: a state with its growths, whenever they are taken, is the whole state; and
// they are small.
func TestStatesGrow(t *testing.T) {
	for bound := range 4 {
		for i := range uint64(30) {
			r := rand.New(rand.NewPCG(4, i))
			p := generate(r, 4+r.IntN(6))
			fresh := func() Resumable { return DFS(bound).(Resumable) }
			twin, kept, grown := newSim(p), []byte(nil), 0
			other := fresh()
			follow(p, fresh(), 400, func(n int, s Strategy) Strategy {
				twin.limit = limitOf(p)
				twin.execute(other, Execution{Number: n, Seed: 5 + uint64(n)*0x9e3779b97f4a7c15})
				if r.IntN(3) == 0 {
					return s
				}
				before := len(kept)
				var err error
				if kept, err = s.(Growing).AppendGrowth(kept); err != nil {
					t.Fatal(err)
				}
				again, want := restored(t, fresh, kept), whole(t, other)
				if got := whole(t, again); !bytes.Equal(got, want) {
					t.Fatalf("dfs(%d), program %d, after %d: got\n%x\nwant\n%x", bound, i, n, got, want)
				}
				if len(want) > 2000 && len(kept)-before < len(want)/2 {
					grown++
				}
				switch r.IntN(20) {
				case 0: // it is somebody else's turn, and he has read all that
					again = restored(t, fresh, kept)
					return again
				case 1: // the list has become too long
					kept = whole(t, s.(Resumable))
				}
				return s
			})
			if bound == 3 && len(kept) > 20_000 && grown == 0 {
				t.Errorf("program %d: no growth is smaller than the whole", i)
			}
		}
	}
}

// midway is a state, and what it is of.
func midway(t *testing.T, fresh func() Resumable, executions int) (Resumable, []byte) {
	t.Helper()
	s := fresh()
	p := generate(rand.New(rand.NewPCG(9, 9)), 9)
	follow(p, s, executions, same)
	return s, whole(t, s)
}

// TestDamagedStates: a state that is cut short, changed or somebody else's is refused, and
// changes nothing.
func TestDamagedStates(t *testing.T) {
	all := resumables(t)
	states := map[string][]byte{}
	for name, fresh := range all {
		_, states[name] = midway(t, fresh, 20)
	}
	for name, fresh := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, state := midway(t, fresh, 7)
			refused := func(what string, data []byte, want string) {
				t.Helper()
				err := s.UnmarshalBinary(data)
				if !errors.Is(err, ErrState) || !strings.HasPrefix(err.Error(), "strategy: "+name+": no state to go on from: "+want) {
					t.Fatalf("%s: got %v, want %s", what, err, want)
				}
			}
			mine := states[name]
			stride := 1 + len(mine)/500
			for n := 0; n < len(mine); n += stride {
				refused(fmt.Sprint("cut after ", n), mine[:n], "it is ")
				for bit := range 8 {
					flipped := slices.Clone(mine)
					flipped[n] ^= 1 << bit
					refused(fmt.Sprintf("bit %d of byte %d", bit, n), flipped, "it")
				}
			}
			refused("empty", nil, "it is empty")
			refused("more", append(slices.Clone(mine), 0), "it is something else, or damaged")
			refused("foreign", []byte("hello, this is no state of anything"), "it is something else, or damaged")
			newer := slices.Clone(mine)
			newer[len(stateMark)]++
			refused("newer", resummed(newer), "it is of version 3, want version 2")
			for other, theirs := range states {
				if other != name {
					refused("of "+other, theirs, "it is of "+other)
				}
			}
			if !bytes.Equal(whole(t, s), state) {
				t.Error("what was refused has changed it")
			}
			if err := s.UnmarshalBinary(mine); err != nil {
				t.Error(err)
			}
		})
	}
}

// resummed gives a record the checksum of what it says now.
func resummed(record []byte) []byte {
	said := record[:len(record)-crcSize]
	return binary.LittleEndian.AppendUint32(said, crc32.ChecksumIEEE(said))
}

// TestGrowthsAreAChain: none can be left out, or come twice or too early.
func TestGrowthsAreAChain(t *testing.T) {
	m, s := newSim(straight(3, 3, 3)), DFS(2).(Growing)
	var records [][]byte
	for n := range 30 {
		m.execute(s, Execution{Number: n})
		if n < 20 {
			continue
		}
		record, err := s.AppendGrowth(nil)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, record)
	}
	if len(records[1]) > len(records[0]) {
		t.Errorf("%d bytes and then %d: nothing is saved", len(records[0]), len(records[1]))
	}
	fresh := func() Resumable { return DFS(2).(Resumable) }
	if got := whole(t, restored(t, fresh, slices.Concat(records...))); !bytes.Equal(got, whole(t, s)) {
		t.Error("it is another")
	}
	for name, some := range map[string][][]byte{
		"without the first": records[1:],
		"without the third": slices.Concat(records[:2], records[3:]),
		"the third twice":   slices.Concat(records[:3], records[2:]),
		"swapped":           slices.Concat(records[:2], records[3:4], records[2:3], records[4:]),
	} {
		if err := DFS(2).(Resumable).UnmarshalBinary(slices.Concat(some...)); !errors.Is(err, ErrState) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzState: what has a checksum and yet makes no sense is refused, and never a panic.
func FuzzState(f *testing.F) {
	names := []string{"dfs(2)", "dfs", "dpor", "pct(3)", "urw", "surw", "portfolio", "random"}
	p := generate(rand.New(rand.NewPCG(9, 9)), 9)
	for i, name := range names {
		s, _ := Parse(name)
		follow(p, s, 9, same)
		b, err := s.(Resumable).AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		head := len(stateMark) + 2 + 1 + len(name) + 8
		for at := range len(b) - head - crcSize {
			f.Add(i, b[head:len(b)-crcSize], at, byte(at*37+1))
		}
	}
	f.Fuzz(func(t *testing.T, i int, said []byte, at int, flip byte) {
		name := names[uint(i)%uint(len(names))]
		said = slices.Clone(said)
		if len(said) > 0 {
			said[uint(at)%uint(len(said))] ^= flip
		}
		record, _ := appendRecord(nil, name, wholeRecord, 0, func(c *coder) { c.bytes = append(c.bytes, said...) })
		s, _ := Parse(name)
		if err := s.(Resumable).UnmarshalBinary(record); err != nil {
			if !errors.Is(err, ErrState) {
				t.Error(err)
			}
			return
		}
		// It may be the state of some exploration: then it is the same when it is said again.
		again, err := s.(Resumable).AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		other, _ := Parse(name)
		if err := other.(Resumable).UnmarshalBinary(again); err != nil {
			t.Errorf("it is not read again: %v", err)
		}
	})
}

// TestPortfolioOfOthers: a strategy that is no Resumable is said by name.
func TestPortfolioOfOthers(t *testing.T) {
	p, _ := three()
	if _, err := p.AppendBinary(nil); err == nil || !strings.Contains(err.Error(), "portfolio(a,b,c): a has no state to say") {
		t.Errorf("got %v", err)
	}
	record, _ := appendRecord(nil, p.Name(), wholeRecord, 0, func(c *coder) { p.code(c, make([][]byte, 3)) })
	if err := p.UnmarshalBinary(record); !errors.Is(err, ErrState) {
		t.Errorf("got %v", err)
	}
}

// TestPCTStateHasItsLengths: what the longest of many executions was, and the first.
func TestPCTStateHasItsLengths(t *testing.T) {
	s := PCT(3).(*pct)
	follow(straight(30, 20), s, 3, same)
	again := restored(t, func() Resumable { return PCT(3).(*pct) }, whole(t, s)).(*pct)
	if again.runs != 3 || again.fair == 0 || again.fair != s.fair || again.lengths != s.lengths {
		t.Errorf("got %+v, want %+v", again, s)
	}
}
