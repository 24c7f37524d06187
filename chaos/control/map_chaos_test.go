//go:build chaos

package control

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/sync"
)

// Range goes in the order in which the keys were stored, whatever keys they are: the
// standard map's order differs from map to map.
func TestMapHasAnOrder(t *testing.T) {
	type key struct{ n int }
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		for n := range 20 {
			r, _ := e.Run(uint64(n), func() {
				var m sync.Map
				keys := make([]*key, 40)
				for i := range keys {
					keys[i] = &key{i}
					switch i % 4 {
					case 0:
						m.LoadOrStore(keys[i], i)
					case 1:
						m.Swap(keys[i], i)
					default:
						m.Store(keys[i], i)
					}
				}
				m.Store(keys[5], 5) // stays where it is
				m.Delete(keys[3])
				m.LoadAndDelete(keys[4])
				m.CompareAndDelete(keys[6], 7) // has another value
				m.CompareAndDelete(keys[7], 7)
				m.Store(keys[3], 3) // is the last
				want := slices.Concat(keys[:3], keys[5:7], keys[8:], keys[3:4])
				var got []*key
				m.Range(func(k, v any) bool {
					if k.(*key).n != v {
						t.Errorf("%v of %v", v, k)
					}
					got = append(got, k.(*key))
					return true
				})
				if !slices.Equal(got, want) {
					t.Errorf("Range shows %v, want %v", got, want)
				}
				m.Clear()
				m.Store(keys[1], 1)
				m.Store(keys[0], 0)
				got = got[:0]
				m.Range(func(k, _ any) bool {
					got = append(got, k.(*key))
					return len(got) < 1
				})
				if !slices.Equal(got, keys[1:2]) {
					t.Errorf("after Clear, Range shows %v first, want %v", got, keys[1])
				}
			})
			if r.Verdict != verdict.Pass {
				t.Fatal(r.Verdict, r.Summary)
			}
		}
	})
}

// A Range is no snapshot: what others do meanwhile is seen, or not.
func TestRangeIsNoSnapshot(t *testing.T) {
	bySwitch(t, func(t *testing.T, how Switch) {
		got := outcomes(t, how, 500, func(say func(string)) {
			var m sync.Map
			m.Store("a", 0)
			m.Store("b", 0)
			tasks(func() {
				m.Store("a", 1)
				m.Store("b", 1)
				m.Delete("a")
			})
			all := ""
			m.Range(func(k, v any) bool {
				all += fmt.Sprint(k, v)
				return true
			})
			say(all)
		})
		want(t, got, "a0b0", "a0b1", "a1b0", "a1b1", "b1")
	})
}

// However many entries there are, to walk over them is not to spin; to walk again and
// again is.
func TestRangeDoesNotSpin(t *testing.T) {
	e := start(t, Options{MaxSpins: 10})
	fill := func(m *sync.Map) {
		for i := range 1000 {
			m.Store(i, i)
		}
	}
	r, _ := e.Run(1, func() {
		var m sync.Map
		fill(&m)
		m.Range(func(_, _ any) bool { return true })
	})
	if r.Verdict != verdict.Pass {
		t.Errorf("%s: %s", r.Verdict, r.Summary)
	}
	r, _ = e.Run(1, func() {
		var m sync.Map
		m.Store(1, 1)
		for found := false; !found; {
			m.Range(func(k, _ any) bool { found = k == 2; return !found })
		}
	})
	if r.Verdict != verdict.Livelock {
		t.Errorf("%s, want a livelock", r.Verdict)
	}
}
