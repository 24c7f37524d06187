package main

import (
	"io"
	"iter"
	"os"
	"os/signal"
	"rousecore"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// An end is a subject and how its executions may end.
type end struct {
	name    string
	body    func()
	want    rousecore.Verdict // of at least one execution; all others pass
	says    string            // the summary then
	tainted bool              // the process, by that
}

// asked is served by a goroutine that is no task.
var asked, answered = make(chan int), make(chan int)

func serve() {
	for x := range asked {
		time.Sleep(time.Millisecond)
		answered <- x + 1
	}
}

var endings = []end{
	{name: "the window after an unlock", want: "panic", says: "published before it was written", body: func() {
		var mu sync.Mutex
		ready, value := false, new(int32)
		go func() {
			mu.Lock()
			ready = true
			mu.Unlock()
			write(value)
		}()
		mu.Lock()
		defer mu.Unlock()
		if ready && read(value) == 0 {
			panic("published before it was written")
		}
	}},
	{name: "a loop without points", want: "livelock", says: "runs without end", tainted: true, body: func() {
		ch := make(chan int, 3)
		go func() { ch <- 1 }()
		for len(ch) != 2 {
		}
	}},
	{name: "coroutines", want: "deadlock", says: "waits to send", body: func() {
		ch := make(chan int, 1)
		next, stop := iter.Pull(func(yield func(int) bool) {
			for i := range 3 {
				ch <- i
				if !yield(i) {
					return
				}
				<-ch
			}
		})
		go func() {
			select {
			case ch <- 9:
			default:
			}
		}()
		next()
		next()
		stop()
	}},
	{name: "a coroutine that is left", want: "leak", says: "waits for next or stop of iter.Pull", body: func() {
		next, _ := iter.Pull(func(yield func(int) bool) { yield(1) })
		next()
	}},
	{name: "threads", body: func() {
		ch := make(chan int)
		go func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			ch <- 1
		}()
		go func() { // its thread ends with it
			runtime.LockOSThread()
			ch <- 2
		}()
		<-ch
		<-ch
	}},
	{name: "Goexit of the first task", body: func() {
		ch := make(chan int)
		go func() { ch <- 1 }()
		go func() { <-ch }()
		runtime.Goexit()
	}},
	{name: "nested panics", want: "panic", says: "panic: 3", body: func() {
		defer func() { panic(recover().(int) + 1) }()
		defer func() {
			defer func() { panic(recover().(int) + 1) }()
			panic(1)
		}()
	}},
	{name: "a fatal error", want: "panic", says: "fatal error: sync: unlock of unlocked mutex", body: func() { new(sync.Mutex).Unlock() }},
	{name: "a ticker that is left", want: "leak", says: "waits to receive", body: func() {
		go func() {
			for range time.NewTicker(time.Second).C {
			}
		}()
	}},
	{name: "a deadlock beside a ticker", want: "deadlock", says: "main", body: func() {
		go func() {
			for range time.NewTicker(time.Second).C {
			}
		}()
		<-make(chan int)
	}},
	{name: "a deadlock beside a task that works", want: "deadlock", says: "main", body: func() {
		x := new(atomic.Int64)
		go func() {
			for x.Add(1) > 0 {
			}
		}()
		twice := new(struct { // in no block of memory with other variables
			sync.Mutex
			self any
		})
		twice.Lock()
		twice.Lock()
	}},
	{name: "signals", body: func() {
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGUSR1)
		signal.Stop(c)
	}},
	{name: "a pipe", body: func() { // the network poller wakes who reads, and who writes
		const size = 1 << 18 // more than it holds
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		defer r.Close()
		go func() {
			defer w.Close()
			w.Write(make([]byte, size))
		}()
		if all, err := io.ReadAll(r); len(all) != size || err != nil {
			panic("not all")
		}
	}},
	{name: "the task that armed a timer", want: "panic", says: "task main/0/0", body: func() {
		go func() { time.AfterFunc(time.Second, func() { panic("late") }) }()
		time.Sleep(time.Minute)
	}},
	{name: "the time of a tick that nobody waits for", body: func() {
		timer := time.NewTimer(time.Second)
		time.Sleep(time.Minute)
		if d := time.Since(<-timer.C).Round(time.Second); d != 59*time.Second {
			panic(d)
		}
	}},
	{name: "a long sleep", body: func() { time.Sleep(1000 * time.Hour) }},
	{name: "a goroutine outside", body: func() {
		asked <- 1
		if <-answered != 2 {
			panic("another answer")
		}
	}},
	{name: "a wait under a lock", body: func() {
		var mu sync.Mutex
		done := false
		time.AfterFunc(time.Second, func() { mu.Lock(); done = true; mu.Unlock() })
		for stop := false; !stop; runtime.Gosched() {
			mu.Lock()
			stop = done
			mu.Unlock()
		}
	}},
	{name: "a wait by the clock", body: func() {
		timeout := time.After(time.Minute)
		for begin := time.Now(); time.Since(begin) < time.Second; runtime.Gosched() {
		}
		for begin := time.Now(); time.Since(begin) < time.Second; {
		}
		select {
		case <-timeout:
			panic("a minute has passed")
		default:
		}
	}},
	{name: "work is no wait", body: func() {
		var mu sync.Mutex
		var wg sync.WaitGroup
		n, timeout := 0, time.NewTimer(45*time.Second)
		for range 4 {
			wg.Go(func() {
				for range 500 {
					mu.Lock()
					n++
					mu.Unlock()
				}
			})
		}
		done := make(chan bool)
		go func() { wg.Wait(); close(done) }()
		select {
		case <-done:
		case <-timeout.C:
			panic("45 seconds have passed")
		}
	}},
}

//go:noinline
func write(p *int32) { *p = 1 }

//go:noinline
func read(p *int32) int32 { return *p }

// checkEnds runs each of the subjects until it has ended as it should.
func checkEnds() {
	go serve()
	for _, x := range endings {
		before := failures
		e := engine("random", rousecore.Options{MaxSteps: 50_000, Patience: 5 * time.Second, Grace: 5 * time.Second})
		seen := x.want == ""
		for n := range uint64(500) {
			r, _ := e.Run(n, x.body)
			switch {
			case r.Verdict == x.want:
				seen = true
				if !strings.Contains(r.Summary, x.says) {
					fail("%s: %s, want %q", x.name, r.Summary, x.says)
				}
				if _, site, ok := strings.Cut(r.Site(), "("); x.want != "panic" && (!ok || !strings.HasPrefix(site, "ends.go")) {
					fail("%s: the place is %s", x.name, r.Site())
				}
			case r.Verdict != "pass":
				fail("%s, seed %d: %s: %s", x.name, n, r.Verdict, r.Summary)
			}
			if r.Verdict == x.want && (r.Tainted != "") != (x.tainted || x.want == "panic") {
				fail("%s: tainted %q", x.name, r.Tainted)
			}
			if seen && n > 20 || x.tainted || failures > before {
				break
			}
		}
		if !seen && failures == before {
			fail("%s: never a %s", x.name, x.want)
		}
		e.Close()
	}
}
