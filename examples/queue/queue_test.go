package queue

import (
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFirstInFirstOut(t *testing.T) {
	q := New[int](3)
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 100 {
			q.Put(i)
		}
	})
	var got []int
	for range 100 {
		got = append(got, q.Take())
	}
	all.Wait()
	if !slices.IsSorted(got) || got[99] != 99 {
		t.Errorf("took %v", got)
	}
	if s := q.State(); s != (State{Capacity: 3}) {
		t.Errorf("at rest: %+v", s)
	}
}
