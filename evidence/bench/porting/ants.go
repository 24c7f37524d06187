package porting

import (
	"sync"
	"sync/atomic"

	"github.com/panjf2000/ants/v2"
	"github.com/rouse-go/rouse/pool"
)

// SumAnts returns the sum of f over the inputs.
func SumAnts(inputs []string, f func(string) int) (int64, error) {
	p, err := ants.NewPool(4)
	if err != nil {
		return 0, err
	}
	defer p.Release()
	var sum atomic.Int64
	var jobs sync.WaitGroup
	for _, s := range inputs {
		jobs.Add(1)
		if err := p.Submit(func() { defer jobs.Done(); sum.Add(int64(f(s))) }); err != nil {
			jobs.Done()
			return 0, err
		}
	}
	jobs.Wait()
	return sum.Load(), nil
}

// SumGroup is SumAnts with a group.
func SumGroup(inputs []string, f func(string) int) (int64, error) {
	var g pool.Group
	g.SetLimit(4)
	var sum atomic.Int64
	for _, s := range inputs {
		g.Go(func(*pool.Worker) error { sum.Add(int64(f(s))); return nil })
	}
	err := g.Wait()
	return sum.Load(), err
}
