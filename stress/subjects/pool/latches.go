package pool

import (
	"fmt"
	stdatomic "sync/atomic" // of the oracles, which no engine is to see

	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"github.com/rouse-go/rouse/stress/subject"
)

// latchesWorkload: package sleep promises that a latch wakes its waiters, all of them if it may have
// several. Here there is nothing else to wait for: no job is posted, so a strategy that may lose one has
// to pass as well.
var latchesWorkload = workload{
	name: "latches",
	about: "Latches of package sleep, without a pool: each worker waits, time after time, for the latch that it uses again, among those that count, or privately, " +
		"and another goroutine sets it at any moment. Outsiders (injectors) wait together for one latch, which is set when all workers are done.",
	uses:     []string{"injectors", "repeat", "pause"},
	defaults: sizes{injectors: 3, repeat: 12, pause: defaultPause},
	small:    sizes{injectors: 2, repeat: 2},
	run: func(x *execution) {
		l := x.newLatches((*sleep.LockLatch).Set, (*sleep.SpinLatch).Set)
		l.run()
		x.report(l.judge())
	},
}

// latches holds the workers of an execution, and the functions to set their latches.
type latches struct {
	x       *execution
	sleep   *sleep.Sleep
	workers []latchWorker
	// How latches are set.
	setAll func(l *sleep.LockLatch)
	setOne func(l *sleep.SpinLatch)
}

// A latchWorker waits for its own latch.
type latchWorker struct {
	latch   sleep.SpinLatch
	waiting stdatomic.Bool
}

func (x *execution) newLatches(setAll func(l *sleep.LockLatch), setOne func(l *sleep.SpinLatch)) *latches {
	s, err := sleep.New(x.workers, x.strategy()...)
	if err != nil {
		panic(err) // the parameters have been checked
	}
	l := &latches{x: x, sleep: s, workers: make([]latchWorker, x.workers), setAll: setAll, setOne: setOne}
	x.latches.Store(l)
	return l
}

// run returns when all waits are over.
func (l *latches) run() {
	var done sleep.CountLatch // a unit for each worker
	done.Init(nil, 0)
	var all sleep.LockLatch
	var others subject.Crew
	for i := range l.workers {
		done.TryIncrement()
		others.Start(fmt.Sprint("worker ", i), func() {
			l.work(i)
			done.Set()
		})
	}
	for i := range l.x.sizes.injectors {
		name := fmt.Sprint("outsider ", i)
		wait := l.x.open(name, 1)
		others.Start(name, func() {
			all.Wait()
			wait[0].ran()
		})
	}
	done.Set()
	done.Wait()
	l.setAll(&all)
	others.Wait()
}

// work is the body of a worker.
func (l *latches) work(i int) {
	name, w := fmt.Sprint("worker ", i), &l.workers[i]
	r := l.x.Rand(name)
	waits := l.x.open(name, l.x.sizes.repeat)
	for n := range waits {
		w.latch.Init(l.sleep, i)
		pause, setter := l.x.Rand(waits[n].name), subject.Crew{}
		setter.Start(fmt.Sprintf("setter %d of %s", n, name), func() {
			l.x.pause(pause)
			l.setOne(&w.latch)
		})
		w.waiting.Store(true)
		l.wait(i, r.IntN(3) == 0)
		w.waiting.Store(false)
		waits[n].ran()
		setter.Wait() // the latch is in use until then
	}
}

// wait waits for the latch of a worker as a pool's worker does when it finds no jobs.
func (l *latches) wait(i int, privately bool) {
	latch := &l.workers[i].latch.CoreLatch
	if privately {
		for !latch.Probe() {
			l.sleep.WaitPrivately(i, latch, nil)
		}
		return
	}
	var idle sleep.IdleState
	l.sleep.StartLooking(i, &idle)
	for !latch.Probe() {
		l.sleep.NoWorkFound(&idle, latch, noJobs{})
	}
	l.sleep.WorkFound(&idle)
}

type noJobs struct{}

func (noJobs) HasInjectedJob() bool { return false }

// stats returns statistics as of a pool with these workers.
func (l *latches) stats() (s pool.Stats) {
	for i := range l.workers {
		p := l.sleep.Parker(i)
		s.Sleeps, s.Wakes, s.Spurious, s.Parked = s.Sleeps+p.Sleeps, s.Wakes+p.Wakes, s.Spurious+p.Spurious, s.Parked+p.Parked
	}
	return s
}

// state returns a state as of a pool with these workers.
func (l *latches) state() pool.State {
	s := pool.State{Counters: l.sleep.Counters()}
	for i := range l.workers {
		w, p := &l.workers[i], l.sleep.Parker(i)
		one := pool.WorkerState{
			Index: i, Name: fmt.Sprint("worker ", i), Asleep: p.Asleep, Notified: p.Notified, Private: p.Private, Sleeps: p.Sleeps,
		}
		if w.waiting.Load() {
			one.WaitsFor, one.Latch = "its latch", w.latch.State()
		}
		s.Workers = append(s.Workers, one)
	}
	return s
}

// judge checks the counters and the statistics when all waits are over.
func (l *latches) judge() []subject.Finding {
	c := l.sleep.Counters()
	return append(unequal("without waits", []count{
		{"workers sleeping", c.Sleeping, 0},
		{"workers inactive", c.Inactive, 0},
	}), sleepStats(l.stats(), l.x.Variant())...)
}
