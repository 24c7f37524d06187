// Command races runs one operation of the drop-ins, named by its argument, in two
// goroutines: each on an object of its own, before and behind a plain write of
// the same variable. That is a data race, and the race detector must report it:
// it would not if the drop-ins ordered what their users did not. With the
// argument "ordered" the writes are under one mutex, and nothing is to be
// reported.
package main

import (
	"fmt"
	"os"
	"runtime"

	std "sync"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// Each makes an operation on something new. sync.Pool is not among them: the
// standard one hashes its objects into a few race addresses, so that unrelated
// pools can order each other.
var operations = map[string]func() func(){
	"mutex": func() func() {
		var m sync.Mutex
		return func() { m.Lock(); m.Unlock(); m.TryLock(); m.TryLock(); m.Unlock() }
	},
	"rwmutex": func() func() {
		var m sync.RWMutex
		return func() {
			m.Lock()
			m.TryRLock()
			m.Unlock()
			m.RLock()
			m.TryLock()
			m.RUnlock()
		}
	},
	"cond": func() func() {
		c := sync.NewCond(new(sync.Mutex))
		return func() { c.Signal(); c.Broadcast() }
	},
	"waitgroup": func() func() {
		var wg sync.WaitGroup
		return func() { wg.Add(1); wg.Done(); wg.Go(func() {}); wg.Wait() }
	},
	"once": func() func() {
		var once sync.Once
		f := sync.OnceFunc(func() {})
		return func() { once.Do(func() {}); f() }
	},
	"map": func() func() {
		var m sync.Map
		return func() {
			m.Store(1, 1)
			m.Load(1)
			m.Range(func(k, v any) bool { return true })
			m.LoadAndDelete(1)
		}
	},
	"memory": func() func() {
		var v atomic.Int64
		return func() {
			memory.StoreInt64(&v, 1, memory.SeqCst)
			memory.Fence(memory.SeqCst)
			memory.CompareAndSwapInt64(&v, memory.LoadInt64(&v, memory.SeqCst), 2, memory.SeqCst, memory.SeqCst)
		}
	},
	"atomic": func() func() {
		var v atomic.Int64
		var p atomic.Pointer[int]
		return func() { v.Store(1); v.Add(v.Load()); v.CompareAndSwap(2, 3); v.Or(v.Swap(4)); p.Store(p.Load()) }
	},
	"clock": func() func() {
		return func() { time.Since(time.Now()); time.Sleep(time.Microsecond) }
	},
	"channel": func() func() {
		c, d := make(chan int, 2), make(chan int, 2)
		return func() {
			channel.Send(c, 1)
			channel.Select(channel.OnSend(c, channel.Receive(c)), channel.OnReceive(d, nil, nil))
			channel.Select(channel.OnReceive(c, nil, nil), channel.OnReceive(d, nil, nil), channel.Default)
			channel.Select(channel.OnReceive(c, nil, nil), channel.Default)
		}
	},
	"context": func() func() {
		ctx, cancel := context.WithCancel(context.Background())
		return func() {
			child, cancelChild := context.WithTimeout(ctx, time.Hour)
			context.AfterFunc(child, func() {})()
			cancelChild()
			cancel()
		}
	},
	"timer": func() func() {
		timer := time.NewTimer(time.Hour)
		call := time.AfterFunc(time.Hour, func() {})
		ticker := time.NewTicker(time.Hour)
		return func() {
			timer.Reset(time.Hour)
			timer.Stop()
			call.Reset(time.Hour)
			call.Stop()
			ticker.Reset(time.Hour)
			ticker.Stop()
		}
	},
}

var shared int

func main() {
	name := ""
	if len(os.Args) == 2 {
		name = os.Args[1]
	}
	if name == "list" {
		for name := range operations {
			fmt.Println(name)
		}
		return
	}
	lock, unlock := func() {}, func() {}
	if name == "ordered" {
		var m sync.Mutex
		lock, unlock, name = m.Lock, m.Unlock, "mutex"
	}
	if operations[name] == nil {
		fmt.Fprintln(os.Stderr, "usage: races list|ordered|NAME")
		os.Exit(2)
	}
	first, second := operations[name](), operations[name]()
	var end std.WaitGroup
	end.Add(2)
	go func() {
		defer end.Done()
		first()
		lock()
		shared++
		unlock()
		first()
		pass()
	}()
	go func() {
		defer end.Done()
		await()
		second()
		lock()
		shared++
		unlock()
	}()
	end.Wait()
}

// The second goroutine runs when the first is through, so that any edge between
// their operations would order the writes. How it learns so is out of the race
// detector's sight, or the gate itself would order them.
var passed bool

//go:norace
func pass() { passed = true }

//go:norace
func await() {
	for !passed {
		runtime.Gosched()
	}
}
