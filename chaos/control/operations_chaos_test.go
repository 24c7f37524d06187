//go:build chaos

package control

import (
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

// operations are the exported functions of the hooks that a goroutine can be caught in.
// Their arguments are made up: see argument.
var operations = map[string]any{
	"hooks.At": hooks.At, "hooks.Notify": hooks.Notify, "hooks.Fail": hooks.Fail, "hooks.Value": hooks.Value,
	"hooks.Task": hooks.Task, "hooks.Gosched": hooks.Gosched, "hooks.Controlled": hooks.Controlled,
	"hooks.Name": hooks.Name, "hooks.Unwinding": hooks.Unwinding,

	"hooks/channel.Send": channel.Send[chan int], "hooks/channel.Receive": channel.Receive[chan int],
	"hooks/channel.ReceiveOK": channel.ReceiveOK[chan int], "hooks/channel.Close": channel.Close[chan int],
	"hooks/channel.Len": channel.Len[chan int], "hooks/channel.Select": channel.Select,
	"hooks/channel.Range": func(c chan int) {
		for range channel.Range(c) {
			break
		}
	},

	"hooks/context.WithCancel": context.WithCancel, "hooks/context.WithCancelCause": context.WithCancelCause,
	"hooks/context.WithDeadline": context.WithDeadline, "hooks/context.WithDeadlineCause": context.WithDeadlineCause,
	"hooks/context.WithTimeout": context.WithTimeout, "hooks/context.WithTimeoutCause": context.WithTimeoutCause,
	"hooks/context.AfterFunc": context.AfterFunc,

	"hooks/time.Now": time.Now, "hooks/time.Since": time.Since, "hooks/time.Until": time.Until,
	"hooks/time.Sleep": time.Sleep, "hooks/time.After": time.After, "hooks/time.AfterFunc": time.AfterFunc,
	"hooks/time.NewTimer": time.NewTimer, "hooks/time.NewTicker": time.NewTicker, "hooks/time.Tick": time.Tick,

	"hooks/sync.OnceFunc":   func(f func()) { sync.OnceFunc(f)() },
	"hooks/sync.OnceValue":  func(f func() int) { sync.OnceValue(f)() },
	"hooks/sync.OnceValues": func(f func() (int, int)) { sync.OnceValues(f)() },

	"hooks/atomic.AddInt32":              atomic.AddInt32,
	"hooks/atomic.AddInt64":              atomic.AddInt64,
	"hooks/atomic.AddUint32":             atomic.AddUint32,
	"hooks/atomic.AddUint64":             atomic.AddUint64,
	"hooks/atomic.AddUintptr":            atomic.AddUintptr,
	"hooks/atomic.AndInt32":              atomic.AndInt32,
	"hooks/atomic.AndInt64":              atomic.AndInt64,
	"hooks/atomic.AndUint32":             atomic.AndUint32,
	"hooks/atomic.AndUint64":             atomic.AndUint64,
	"hooks/atomic.AndUintptr":            atomic.AndUintptr,
	"hooks/atomic.CompareAndSwapInt32":   atomic.CompareAndSwapInt32,
	"hooks/atomic.CompareAndSwapInt64":   atomic.CompareAndSwapInt64,
	"hooks/atomic.CompareAndSwapPointer": atomic.CompareAndSwapPointer,
	"hooks/atomic.CompareAndSwapUint32":  atomic.CompareAndSwapUint32,
	"hooks/atomic.CompareAndSwapUint64":  atomic.CompareAndSwapUint64,
	"hooks/atomic.CompareAndSwapUintptr": atomic.CompareAndSwapUintptr,
	"hooks/atomic.LoadInt32":             atomic.LoadInt32,
	"hooks/atomic.LoadInt64":             atomic.LoadInt64,
	"hooks/atomic.LoadPointer":           atomic.LoadPointer,
	"hooks/atomic.LoadUint32":            atomic.LoadUint32,
	"hooks/atomic.LoadUint64":            atomic.LoadUint64,
	"hooks/atomic.LoadUintptr":           atomic.LoadUintptr,
	"hooks/atomic.OrInt32":               atomic.OrInt32,
	"hooks/atomic.OrInt64":               atomic.OrInt64,
	"hooks/atomic.OrUint32":              atomic.OrUint32,
	"hooks/atomic.OrUint64":              atomic.OrUint64,
	"hooks/atomic.OrUintptr":             atomic.OrUintptr,
	"hooks/atomic.StoreInt32":            atomic.StoreInt32,
	"hooks/atomic.StoreInt64":            atomic.StoreInt64,
	"hooks/atomic.StorePointer":          atomic.StorePointer,
	"hooks/atomic.StoreUint32":           atomic.StoreUint32,
	"hooks/atomic.StoreUint64":           atomic.StoreUint64,
	"hooks/atomic.StoreUintptr":          atomic.StoreUintptr,
	"hooks/atomic.SwapInt32":             atomic.SwapInt32,
	"hooks/atomic.SwapInt64":             atomic.SwapInt64,
	"hooks/atomic.SwapPointer":           atomic.SwapPointer,
	"hooks/atomic.SwapUint32":            atomic.SwapUint32,
	"hooks/atomic.SwapUint64":            atomic.SwapUint64,
	"hooks/atomic.SwapUintptr":           atomic.SwapUintptr,
	"hooks/memory.AddInt32":              memory.AddInt32,
	"hooks/memory.AddInt64":              memory.AddInt64,
	"hooks/memory.AddUint32":             memory.AddUint32,
	"hooks/memory.AddUint64":             memory.AddUint64,
	"hooks/memory.AddUintptr":            memory.AddUintptr,
	"hooks/memory.AndInt32":              memory.AndInt32,
	"hooks/memory.AndInt64":              memory.AndInt64,
	"hooks/memory.AndUint32":             memory.AndUint32,
	"hooks/memory.AndUint64":             memory.AndUint64,
	"hooks/memory.AndUintptr":            memory.AndUintptr,
	"hooks/memory.CompareAndSwapBool":    memory.CompareAndSwapBool,
	"hooks/memory.CompareAndSwapInt32":   memory.CompareAndSwapInt32,
	"hooks/memory.CompareAndSwapInt64":   memory.CompareAndSwapInt64,
	"hooks/memory.CompareAndSwapPointer": memory.CompareAndSwapPointer[int],
	"hooks/memory.CompareAndSwapUint32":  memory.CompareAndSwapUint32,
	"hooks/memory.CompareAndSwapUint64":  memory.CompareAndSwapUint64,
	"hooks/memory.CompareAndSwapUintptr": memory.CompareAndSwapUintptr,
	"hooks/memory.Fence":                 memory.Fence,
	"hooks/memory.LoadBool":              memory.LoadBool,
	"hooks/memory.LoadInt32":             memory.LoadInt32,
	"hooks/memory.LoadInt64":             memory.LoadInt64,
	"hooks/memory.LoadPointer":           memory.LoadPointer[int],
	"hooks/memory.LoadUint32":            memory.LoadUint32,
	"hooks/memory.LoadUint64":            memory.LoadUint64,
	"hooks/memory.LoadUintptr":           memory.LoadUintptr,
	"hooks/memory.OrInt32":               memory.OrInt32,
	"hooks/memory.OrInt64":               memory.OrInt64,
	"hooks/memory.OrUint32":              memory.OrUint32,
	"hooks/memory.OrUint64":              memory.OrUint64,
	"hooks/memory.OrUintptr":             memory.OrUintptr,
	"hooks/memory.StoreBool":             memory.StoreBool,
	"hooks/memory.StoreInt32":            memory.StoreInt32,
	"hooks/memory.StoreInt64":            memory.StoreInt64,
	"hooks/memory.StorePointer":          memory.StorePointer[int],
	"hooks/memory.StoreUint32":           memory.StoreUint32,
	"hooks/memory.StoreUint64":           memory.StoreUint64,
	"hooks/memory.StoreUintptr":          memory.StoreUintptr,
	"hooks/memory.SwapBool":              memory.SwapBool,
	"hooks/memory.SwapInt32":             memory.SwapInt32,
	"hooks/memory.SwapInt64":             memory.SwapInt64,
	"hooks/memory.SwapPointer":           memory.SwapPointer[int],
	"hooks/memory.SwapUint32":            memory.SwapUint32,
	"hooks/memory.SwapUint64":            memory.SwapUint64,
	"hooks/memory.SwapUintptr":           memory.SwapUintptr,
}

// hookedTypes are the exported types of the hooks that have operations: each method of each is
// one. A function makes one for which no method waits.
var hookedTypes = map[string]func() any{
	"hooks/sync.Mutex":     func() any { return new(sync.Mutex) },
	"hooks/sync.RWMutex":   func() any { return new(sync.RWMutex) },
	"hooks/sync.Once":      func() any { return new(sync.Once) },
	"hooks/sync.Pool":      func() any { return new(sync.Pool) },
	"hooks/sync.Map":       func() any { return new(sync.Map) },
	"hooks/sync.Cond":      func() any { return sync.NewCond(endsWaiting{}) },
	"hooks/sync.WaitGroup": func() any { return new(sync.WaitGroup) },
	"hooks/time.Timer":     func() any { return time.NewTimer(time.Hour) },
	"hooks/time.Ticker":    func() any { return time.NewTicker(time.Hour) },

	"hooks/atomic.Int32":   func() any { return new(atomic.Int32) },
	"hooks/atomic.Int64":   func() any { return new(atomic.Int64) },
	"hooks/atomic.Uint32":  func() any { return new(atomic.Uint32) },
	"hooks/atomic.Uint64":  func() any { return new(atomic.Uint64) },
	"hooks/atomic.Uintptr": func() any { return new(atomic.Uintptr) },
	"hooks/atomic.Bool":    func() any { return new(atomic.Bool) },
	"hooks/atomic.Pointer": func() any { return new(atomic.Pointer[int]) },
	"hooks/atomic.Value":   func() any { return new(atomic.Value) },
}

// hookless are the exported functions and methods that pass no hook, and why.
var hookless = map[string]string{
	"hooks.Declare": "called before anything runs", "hooks.Goroutine": "identifies the calling goroutine, for any caller",
	"hooks/channel.Cap": "constant", "hooks/channel.OnReceive": "makes a case", "hooks/channel.OnSend": "makes a case",
	"hooks/context.Cause": "reads what Err has seen", "hooks/sync.NewCond": "makes one",
	"hooks/sync.(*RWMutex).RLocker": "makes one",
}
