package burst_test

import (
	"runtime"
	"testing"

	"github.com/rouse-go/rouse/pool/burst"
)

// A kind is one of receivers, or several by turns.
type kind struct {
	name    string
	threads []bool // by turns: is it a thread receiver?
	made    int
}

var goroutine = kind{name: "goroutine", threads: []bool{false}}

// kinds are those that this system has.
func kinds() []kind {
	if runtime.GOOS != "linux" {
		return []kind{goroutine}
	}
	return []kind{goroutine, {name: "thread", threads: []bool{true}}, {name: "both", threads: []bool{true, false}}}
}

func eachKind(t *testing.T, test func(t *testing.T, k *kind)) {
	t.Helper()
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) { test(t, &k) })
	}
}

func newReceiver[T any](k *kind, s *burst.Sender[T]) (*burst.Receiver[T], error) {
	k.made++
	if k.threads[k.made%len(k.threads)] {
		return s.NewThreadReceiver()
	}
	return s.NewReceiver()
}

func (k *kind) receiver(t testing.TB, s *burst.Sender[int]) *burst.Receiver[int] {
	t.Helper()
	r, err := newReceiver(k, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
