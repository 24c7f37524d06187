package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A program is a few tasks, each a list of operations on shared objects. Its outcome is what each task
// has seen.
type program struct {
	tasks [][]operation
	caps  [2]int // of the channels
}

type operation struct {
	name string
	on   int
}

// generate draws a program of these operations.
func generate(seed, number uint64, names []string, tasks, longest, objects int) program {
	r := rand.New(rand.NewPCG(seed, number))
	p := program{caps: [2]int{r.IntN(2), r.IntN(2)}}
	for range tasks {
		var t []operation
		for range 1 + r.IntN(longest) {
			t = append(t, operation{names[r.IntN(len(names))], r.IntN(objects)})
		}
		p.tasks = append(p.tasks, t)
	}
	return p
}

func (p program) String() string {
	var b strings.Builder
	fmt.Fprint(&b, "channels of ", p.caps)
	for _, t := range p.tasks {
		b.WriteString(" |")
		for _, o := range t {
			fmt.Fprintf(&b, " %s(%d)", o.name, o.on)
		}
	}
	return b.String()
}

// A state is what the tasks share in one execution.
type state struct {
	x           [2]atomic.Int64
	mu          [2]sync.Mutex
	rw          [2]sync.RWMutex
	underMu     [2]int
	underRW     [2]int
	once        [2]sync.Once
	m           sync.Map
	v           atomic.Value
	group       [2]sync.WaitGroup
	outstanding [2]atomic.Int64
	cond        [2]*sync.Cond
	ch          [2]chan int
}

// run runs the program. The last task is the caller.
func (p program) run(seen []string) {
	s := new(state)
	for i := range 2 {
		s.cond[i], s.ch[i] = sync.NewCond(&s.mu[i]), make(chan int, p.caps[i])
		s.group[i].Add(1)
		s.outstanding[i].Store(1)
	}
	for i, t := range p.tasks {
		task := func() {
			for n, o := range t {
				seen[i] += s.do(o, i, n)
			}
		}
		if i == len(p.tasks)-1 {
			task()
		} else {
			go task()
		}
	}
}

// do does the n-th operation of task i, and returns what that has seen.
func (s *state) do(o operation, i, n int) string {
	k := o.on
	switch o.name {
	case "load":
		return fmt.Sprint("=", s.x[k].Load())
	case "store":
		s.x[k].Store(int64(10*i + n))
	case "add":
		return fmt.Sprint("+", s.x[k].Add(1))
	case "cas":
		return fmt.Sprint("?", s.x[k].CompareAndSwap(0, int64(i+1)))
	case "once":
		s.once[k].Do(func() { n = 100 })
		return fmt.Sprint("once", n)
	case "done":
		if s.outstanding[k].Add(-1) >= 0 {
			s.group[k].Done()
		}
	case "wait":
		s.group[k].Wait()
		return "waited"
	case "map":
		v, _ := s.m.Swap(k, i)
		return fmt.Sprint("m", v)
	case "mapload":
		v, _ := s.m.Load(k)
		return fmt.Sprint("m", v)
	case "mapstore":
		s.m.Store(k, n)
	case "sleep":
		time.Sleep(time.Duration(k+1) * time.Second)
		return "slept"
	default:
		if strings.HasSuffix(o.name, "lock") {
			return s.lock(o.name, k, i)
		}
		return s.communicate(o.name, k, i)
	}
	return ""
}

func (s *state) lock(name string, k, i int) string {
	switch name {
	case "lock":
		s.mu[k].Lock()
	case "trylock":
		if !s.mu[k].TryLock() {
			return "busy"
		}
	case "rlock":
		s.rw[k].RLock()
		defer s.rw[k].RUnlock()
		return fmt.Sprint("r", s.underRW[k])
	case "wlock":
		s.rw[k].Lock()
		s.underRW[k] = s.underRW[k]*3 + i + 1
		s.rw[k].Unlock()
		return ""
	}
	defer s.mu[k].Unlock()
	s.underMu[k] = s.underMu[k]*3 + i + 1
	return fmt.Sprint("l", s.underMu[k])
}

func (s *state) communicate(name string, k, i int) string {
	switch name {
	case "signal":
		s.cond[k].Signal()
	case "await":
		s.mu[k].Lock()
		s.cond[k].Wait()
		s.mu[k].Unlock()
		return "woken"
	case "send":
		s.ch[k] <- i
	case "receive":
		v, ok := <-s.ch[k]
		return fmt.Sprint("c", v, ok)
	case "close":
		close(s.ch[k])
	case "select":
		select {
		case v, ok := <-s.ch[0]:
			return fmt.Sprint("s0", v, ok)
		case v, ok := <-s.ch[1]:
			return fmt.Sprint("s1", v, ok)
		}
	case "poll":
		select {
		case v, ok := <-s.ch[k]:
			return fmt.Sprint("p", v, ok)
		default:
			return "empty"
		}
	case "offer":
		select {
		case s.ch[0] <- i:
			return "o0"
		case s.ch[1] <- i:
			return "o1"
		default:
			return "full"
		}
	default:
		panic("no operation " + name)
	}
	return ""
}
