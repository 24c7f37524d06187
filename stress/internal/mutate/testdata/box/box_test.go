package box

import (
	"sync"
	"testing"
)

func TestOrder(t *testing.T) {
	b := New[int]()
	b.Put(1)
	b.Put(2)
	if x, y := b.Take(), b.Take(); x != 1 || y != 2 {
		t.Errorf("took %d and %d", x, y)
	}
}

func TestPuts(t *testing.T) {
	b := New[int]()
	var putters sync.WaitGroup
	for x := range 2 {
		putters.Go(func() { b.Put(x) })
	}
	putters.Wait()
	if x, y := b.Take(), b.Take(); x+y != 1 {
		t.Errorf("took %d and %d", x, y)
	}
}

func TestWakes(t *testing.T) {
	b := New[int]()
	var taker sync.WaitGroup
	taker.Go(func() { b.Take() })
	b.Put(1)
	taker.Wait()
}

func TestClosesOnce(t *testing.T) {
	b := New[int]()
	var closers sync.WaitGroup
	for range 2 {
		closers.Go(b.Close)
	}
	closers.Wait()
	if n := b.Closes(); n != 1 {
		t.Errorf("closed %d times", n)
	}
}
