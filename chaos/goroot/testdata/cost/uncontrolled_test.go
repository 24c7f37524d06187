package cost

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// What operations cost in a build with the overlay that nothing controls.

func BenchmarkMutex(b *testing.B) {
	var mu sync.Mutex
	for range b.N {
		mu.Lock()
		mu.Unlock()
	}
}

func BenchmarkRWMutex(b *testing.B) {
	var mu sync.RWMutex
	for range b.N {
		mu.RLock()
		mu.RUnlock()
	}
}

func BenchmarkChannel(b *testing.B) {
	c := make(chan int, 1)
	for range b.N {
		c <- 1
		<-c
	}
}

func BenchmarkSelect(b *testing.B) {
	c, d := make(chan int, 1), make(chan int, 1)
	for range b.N {
		c <- 1
		select {
		case <-c:
		case <-d:
		}
	}
}

func BenchmarkPingPong(b *testing.B) {
	c, d := make(chan int), make(chan int)
	go func() {
		for range c {
			d <- 1
		}
	}()
	for range b.N {
		c <- 1
		<-d
	}
	close(c)
}

func BenchmarkGo(b *testing.B) {
	var wg sync.WaitGroup
	for range b.N {
		wg.Add(1)
		go wg.Done()
		wg.Wait()
	}
}

func BenchmarkPool(b *testing.B) {
	p := sync.Pool{New: func() any { return new(int) }}
	for range b.N {
		p.Put(p.Get())
	}
}

func BenchmarkOnce(b *testing.B) {
	var once sync.Once
	for range b.N {
		once.Do(func() {})
	}
}

func BenchmarkMapLoad(b *testing.B) {
	var m sync.Map
	m.Store(1, 1)
	for range b.N {
		m.Load(1)
	}
}

func BenchmarkAtomicAdd(b *testing.B) {
	var x atomic.Int64
	for range b.N {
		x.Add(1)
	}
}

func BenchmarkAtomicLoad(b *testing.B) {
	var x atomic.Int64
	for range b.N {
		x.Load()
	}
}

func BenchmarkTimer(b *testing.B) {
	for range b.N {
		time.NewTimer(time.Hour).Stop()
	}
}

func BenchmarkContext(b *testing.B) {
	for range b.N {
		_, cancel := context.WithCancel(context.Background())
		cancel()
	}
}

func BenchmarkMapOfStrings(b *testing.B) {
	m := map[string]int{"a": 1}
	for range b.N {
		m["a"]++
	}
}
