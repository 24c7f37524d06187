package driver

import (
	crand "crypto/rand"
	"fmt"
	"hash/maphash"
	"math/rand"
	randv2 "math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// Of the following tests, each uses a part of package testing, or a sync.Map, while another goroutine
// could run.

func TestStepsFolder(t *testing.T) {
	done := make(chan bool)
	go func() { done <- true }()
	t.TempDir()
	t.Log(t.Name())
	<-done
}

func TestStepsRun(t *testing.T) {
	go func() {}()
	t.Run("subtest", func(*testing.T) {})
}

func TestStepsParallel(t *testing.T) {
	for range 2 {
		t.Run("subtest", func(t *testing.T) { t.Parallel() })
	}
}

// FuzzSteps has a seed in testdata.
func FuzzSteps(f *testing.F) {
	go func() {}()
	f.Fuzz(func(*testing.T, string) {})
}

// Of the operations of a map each is a step, and nothing within it, not even what the first one makes.
func TestStepsMap(*testing.T) {
	go func() {}()
	empty().Store(1, 1)
	empty().Load(1)
	empty().LoadOrStore(1, 1)
	empty().Swap(1, 1)
	empty().CompareAndSwap(1, 1, 2)
	empty().CompareAndDelete(1, 1)
	empty().Range(func(any, any) bool { return true })
	empty().LoadAndDelete(1)
	empty().Delete(1)
	empty().Clear()
}

// empty returns a map that is not on the stack, where nobody else would see it.
func empty() *sync.Map {
	last = new(sync.Map)
	return last
}

var last *sync.Map

// FuzzStuck is stuck in its seed.
func FuzzStuck(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, _ int) {
		t.Log("stuck")
		select {}
	})
}

// What the following tests do is not all in what a search tries.

func TestStepsDraw(*testing.T) { order(map[int]bool{1: true, 2: true}) }

func TestStepsRand(*testing.T) { rand.Int() }

var source = rand.NewSource(rand.Int63())

func TestStepsSource(*testing.T) { source.Int63() }

func TestStepsOwnSource(*testing.T) { rand.NewSource(1).Int63() }

func TestStepsRandV2(*testing.T) { randv2.Int() }

func TestStepsHash(*testing.T) { maphash.MakeSeed() }

func TestStepsBytes(*testing.T) { crand.Read(make([]byte, 1)) }

// A map with a seed is no draw that it sees.
func TestStepsMapSeed(*testing.T) { _ = map[int]int{1: 1}[len(firstOnly)] }

func TestStepsOneKey(*testing.T) { order(map[int]bool{1: true}) }

func TestStepsCount(*testing.T) {
	go func() {}()
	runtime.NumGoroutine()
}

func TestStepsPools(*testing.T) {
	var p sync.Pool
	done := make(chan bool)
	go func() { p.Put(1); close(done) }()
	p.Get()
	<-done
}

// What a pool has been given it may have dropped.
func TestStepsPool(*testing.T) {
	p := sync.Pool{New: func() any { return 1 }}
	p.Put(p.Get())
	p.Get()
}

func TestStepsPut(*testing.T) {
	p := sync.Pool{New: func() any { return 1 }}
	go func() {}()
	p.Put(p.Get())
}

func TestStepsRange(*testing.T) { ranges(2) }

func TestStepsRangeOne(*testing.T) { ranges(1) }

// ranges ranges over a map of that many entries.
func ranges(entries int) {
	var m sync.Map
	for i := range entries {
		m.Store(i, i)
	}
	m.Range(func(_, _ any) bool { return true })
}

// That of package fmt is not one by which tasks could learn of each other.
func TestStepsPrint(*testing.T) {
	done := make(chan bool)
	go func() { _ = fmt.Sprint(1); close(done) }()
	_ = fmt.Sprint(2)
	<-done
}

// order returns the keys of a map.
func order(m map[int]bool) (keys []int) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

var firstOnly = map[bool]bool{} // is not restored

// TestStepsOnce has an order to search only in the first execution of a process.
func TestStepsOnce(*testing.T) {
	if !firstOnly[true] {
		go func() {}()
	}
	firstOnly[true] = true
}

// TestStepsSkips skips in a later execution of a process.
func TestStepsSkips(t *testing.T) {
	if firstOnly[false] {
		t.Skip("already done")
	}
	firstOnly[false] = true
}

func TestStepsHours(*testing.T) {
	for range 10 {
		time.Sleep(time.Hour)
	}
}
