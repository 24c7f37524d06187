// Package pool holds a sync.Pool to: what is put is got, last in first out, within one execution.
package pool

import (
	"fmt"
	"sync"
	"testing"
)

type item struct{ n int }

var items = sync.Pool{New: func() any { return new(item) }}

// No execution sees what another has put, and none loses what it has put.
func TestOrder(t *testing.T) {
	if x := items.Get().(*item); x.n != 0 {
		t.Fatal("an item of another execution:", x.n)
	}
	for i := 1; i <= 3; i++ {
		items.Put(&item{i})
	}
	items.Put(nil)
	for _, want := range []int{3, 2, 1, 0} {
		if x := items.Get().(*item); x.n != want {
			t.Fatal("got", x.n, "want", want)
		}
	}
	for i := range 3 {
		items.Put(&item{10 + i}) // for the next execution not to see
	}
	none := sync.Pool{}
	if x := none.Get(); x != nil {
		t.Error("got", x)
	}
}

// What was written before Put is seen after Get: no race.
func TestEdges(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 3 {
				x := items.Get().(*item)
				x.n++
				items.Put(x)
			}
		})
	}
	wg.Wait()
	if s := fmt.Sprintf("%d %s", 7, "x"); s != "7 x" { // fmt has a Pool
		t.Error(s)
	}
}

// An item that is used after it was put.
func TestFoundUseAfterPut(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range 2 {
		wg.Go(func() {
			x := items.Get().(*item)
			x.n = i
			items.Put(x)
			mu.Lock()
			mu.Unlock()
			if x.n != i {
				t.Error("somebody else has it")
			}
		})
	}
	wg.Wait()
}
