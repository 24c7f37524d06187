package channel_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/rouse-go/rouse/hooks/channel"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type ints chan int

func TestOperationsAreTheStatements(t *testing.T) {
	c := make(ints, 2)
	channel.Send(c, 1)
	channel.Send((chan<- int)(c), 2)
	if n, m := channel.Len(c), channel.Cap((<-chan int)(c)); n != 2 || m != 2 {
		t.Errorf("length %d and capacity %d, want 2, 2", n, m)
	}
	if v := channel.Receive(c); v != 1 {
		t.Errorf("received %d, want 1", v)
	}
	if v, ok := channel.ReceiveOK((<-chan int)(c)); v != 2 || !ok {
		t.Errorf("received %d, %v, want 2", v, ok)
	}
	channel.Send(c, 3)
	channel.Close(c)
	if v, ok := channel.ReceiveOK(c); v != 3 || !ok {
		t.Errorf("received %d, %v from the closed channel, want 3", v, ok)
	}
	if v, ok := channel.ReceiveOK(c); v != 0 || ok {
		t.Errorf("received %d, %v from the empty closed channel", v, ok)
	}
}

func TestMeeting(t *testing.T) {
	c := make(chan string)
	var wg sync.WaitGroup
	wg.Go(func() { channel.Send(c, "a"); channel.Send(c, "b"); channel.Close(c) })
	if got := slices.Collect(channel.Range(c)); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("received %q", got)
	}
	wg.Wait()
	wg.Go(func() {
		for range channel.Range(c) { // closed
		}
	})
	wg.Wait()
}

func TestRangeStops(t *testing.T) {
	c := make(chan int, 3)
	for i := range 3 {
		c <- i
	}
	for v := range channel.Range(c) {
		if v == 1 {
			break
		}
	}
	if v := <-c; v != 2 {
		t.Errorf("%d is left, want 2", v)
	}
}

func TestPanicsAreTheStatements(t *testing.T) {
	panics := func(name, want string, f func()) {
		t.Helper()
		defer func() {
			if err, ok := recover().(error); !ok || err.Error() != want {
				t.Errorf("%s panicked with %v, want %q", name, err, want)
			}
		}()
		f()
	}
	closed := make(chan int)
	close(closed)
	panics("Send", "send on closed channel", func() { channel.Send(closed, 1) })
	panics("Select", "send on closed channel", func() { channel.Select(channel.OnSend(closed, 1), channel.Default) })
	panics("Close", "close of closed channel", func() { channel.Close(closed) })
	panics("Close of nil", "close of nil channel", func() { channel.Close((chan int)(nil)) })
}

func TestSelect(t *testing.T) {
	a, b, none := make(chan int, 1), make(chan string, 1), (chan int)(nil)
	var v int
	var s string
	var ok bool
	if i := channel.Select(channel.OnReceive(a, &v, &ok), channel.OnReceive(b, &s, nil), channel.Default); i != channel.None {
		t.Errorf("case %d is ready, want none", i)
	}
	b <- "x"
	if i := channel.Select(channel.OnReceive(a, &v, &ok), channel.OnReceive(b, &s, &ok), channel.OnSend(none, 1)); i != 1 || s != "x" || !ok {
		t.Errorf("case %d, %q, %v; want 1, x", i, s, ok)
	}
	if i := channel.Select(channel.OnSend(none, 1), channel.OnSend(a, 7)); i != 1 || len(a) != 1 {
		t.Errorf("case %d, want 1", i)
	}
	if i := channel.Select(channel.OnReceive(a, nil, nil)); i != 0 || len(a) != 0 {
		t.Errorf("case %d, want 0", i)
	}
	close(a)
	ok = true
	if i := channel.Select(channel.OnReceive(a, &v, &ok), channel.Default); i != 0 || v != 0 || ok {
		t.Errorf("case %d, %d, %v from a closed channel", i, v, ok)
	}
}

// It takes cases that are ready by chance, and waits if none is.
func TestSelectIsFairAndWaits(t *testing.T) {
	a, b := make(chan int), make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 1000 {
			a <- 1
		}
		b <- 1
		close(a)
	})
	counts := make(map[int]int)
	for ok := true; ok; {
		var v int
		i := channel.Select(channel.OnReceive(a, &v, &ok), channel.OnReceive((<-chan int)(b), &v, nil))
		counts[i]++
	}
	wg.Wait()
	if counts[0]+counts[1] < 1001 {
		t.Errorf("cases taken: %v", counts)
	}
	c, d := make(chan int), make(chan int)
	close(c)
	close(d)
	counts = make(map[int]int)
	for range 200 {
		counts[channel.Select(channel.OnReceive(c, nil, nil), channel.OnReceive(d, nil, nil))]++
	}
	if counts[0] == 0 || counts[1] == 0 {
		t.Errorf("of two ready cases, those taken: %v", counts)
	}
}

func TestBadSelectPanics(t *testing.T) {
	for name, cases := range map[string][]channel.Case{
		"nil":              {nil},
		"an early default": {channel.Default, channel.OnReceive(make(chan int), nil, nil)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a Select with %s did not panic", name)
				}
			}()
			channel.Select(cases...)
		}()
	}
}

// These tests hold in both builds.

// states are the channels that an operation can meet. What replaces a partner
// waits before the operation begins.
var states = map[string]func() chan int{
	"nil":         func() chan int { return nil },
	"unbuffered":  func() chan int { return make(chan int) },
	"empty":       func() chan int { return make(chan int, 2) },
	"half full":   func() chan int { return filled(2, 7) },
	"full":        func() chan int { return filled(2, 7, 8) },
	"closed":      func() chan int { return closed(filled(2)) },
	"closed, one": func() chan int { return closed(filled(2, 7)) },
	"sender": func() chan int {
		c := make(chan int)
		go func() {
			defer func() { recover() }() // of the close that ends the test
			c <- 9
		}()
		return c
	},
	"receiver": func() chan int {
		c := make(chan int)
		go func() { <-c }()
		return c
	},
}

func filled(size int, values ...int) chan int {
	c := make(chan int, size)
	for _, v := range values {
		c <- v
	}
	return c
}

func closed(c chan int) chan int {
	close(c)
	return c
}

// A pair is an operation of this package and the statement that it replaces.
type pair struct {
	ours, plain func(c chan int) string
	nilWaits    bool // for ever, on a nil channel
}

var pairs = map[string]pair{
	"Send": {
		func(c chan int) string { channel.Send(c, 1); return "" },
		func(c chan int) string { c <- 1; return "" }, true,
	},
	"Receive": {
		func(c chan int) string { return fmt.Sprint(channel.Receive(c)) },
		func(c chan int) string { return fmt.Sprint(<-c) }, true,
	},
	"ReceiveOK": {
		func(c chan int) string { v, ok := channel.ReceiveOK(c); return fmt.Sprint(v, ok) },
		func(c chan int) string { v, ok := <-c; return fmt.Sprint(v, ok) }, true,
	},
	"Range": {
		func(c chan int) (s string) {
			for v := range channel.Range(c) {
				s += fmt.Sprint(v)
			}
			return s
		},
		func(c chan int) (s string) {
			for v := range c {
				s += fmt.Sprint(v)
			}
			return s
		}, true,
	},
	"Range, break": {
		func(c chan int) string {
			for v := range channel.Range(c) {
				return fmt.Sprint(v)
			}
			return "none"
		},
		func(c chan int) string {
			for v := range c {
				return fmt.Sprint(v)
			}
			return "none"
		}, true,
	},
	"Close": {
		func(c chan int) string { channel.Close(c); return "" },
		func(c chan int) string { close(c); return "" }, false,
	},
	"Len": {
		func(c chan int) string { return fmt.Sprint(channel.Len(c)) },
		func(c chan int) string { return fmt.Sprint(len(c)) }, false,
	},
	"Cap": {
		func(c chan int) string { return fmt.Sprint(channel.Cap(c)) },
		func(c chan int) string { return fmt.Sprint(cap(c)) }, false,
	},
	"Select of a send": {
		func(c chan int) string { return fmt.Sprint(channel.Select(channel.OnSend(c, 1))) },
		func(c chan int) string { c <- 1; return "0" }, true,
	},
	"Select of a receive": {
		func(c chan int) string {
			v, ok := -1, true
			i := channel.Select(channel.OnReceive(c, &v, &ok))
			return fmt.Sprint(i, v, ok)
		},
		func(c chan int) string { v, ok := <-c; return fmt.Sprint(0, v, ok) }, true,
	},
	"Select of a send, or the default": {
		func(c chan int) string {
			return fmt.Sprint(channel.Select(channel.OnSend(c, 1), channel.Default) == 0)
		},
		trySend, false,
	},
	"Select of two sends": {
		func(c chan int) string {
			return fmt.Sprint(channel.Select(channel.OnSend(nowhere, ""), channel.OnSend(c, 1)))
		},
		func(c chan int) string {
			select {
			case nowhere <- "":
				return "0"
			case c <- 1:
				return "1"
			}
		}, true,
	},
	"Select of two receives": {
		func(c chan int) string {
			v, ok := -1, true
			i := channel.Select(channel.OnReceive(nowhere, nil, nil), channel.OnReceive(c, &v, &ok))
			return fmt.Sprint(i, v, ok)
		},
		func(c chan int) string {
			select {
			case <-nowhere:
				return "0"
			case v, ok := <-c:
				return fmt.Sprint(1, v, ok)
			}
		}, true,
	},
	"Select of two sends, or the default": {
		func(c chan int) string {
			return fmt.Sprint(channel.Select(channel.OnSend(nowhere, ""), channel.OnSend(c, 1), channel.Default) == 1)
		},
		trySend, false,
	},
	"Select of two receives, or the default": {
		func(c chan int) string {
			v, ok := -1, true
			i := channel.Select(channel.OnReceive(nowhere, nil, nil), channel.OnReceive(c, &v, &ok), channel.Default)
			return fmt.Sprint(i == 1, v, ok)
		},
		tryReceive, false,
	},
}

var nowhere chan string // nil: never ready

func trySend(c chan int) string {
	select {
	case c <- 1:
		return "true"
	default:
		return "false"
	}
}

func tryReceive(c chan int) string {
	select {
	case v, ok := <-c:
		return fmt.Sprint(true, v, ok)
	default:
		return fmt.Sprint(false, -1, true)
	}
}

func TestOperationsAreTheStatementsInAllStates(t *testing.T) {
	for name, pair := range pairs {
		for state, make := range states {
			if state == "nil" && pair.nilWaits {
				continue // see TestWaitsForEver
			}
			got, want := meets(t, pair.ours, make), meets(t, pair.plain, make)
			if got != want {
				t.Errorf("%s, channel %s: %s; the statement: %s", name, state, got, want)
			}
		}
	}
}

// meets returns what comes of an operation on a new channel, and what is left in
// the channel.
func meets(t *testing.T, op func(chan int) string, make func() chan int) (outcome string) {
	synctest.Test(t, func(t *testing.T) {
		c := make()
		synctest.Wait()
		outcome = "waits"
		go func() {
			defer func() {
				if v := recover(); v != nil && outcome == "waits" {
					outcome = fmt.Sprint("panics: ", v)
				}
			}()
			if result := op(c); outcome == "waits" {
				outcome = "returns " + result
			}
		}()
		synctest.Wait()
		outcome += fmt.Sprintf(", leaves %d of %d", len(c), cap(c))
		defer func() { recover() }() // of what is nil, or closed
		close(c)                     // for those that still wait
	})
	return outcome
}

// What is behind a channel's type makes no difference: named, directed, or both.
func TestChannelTypes(t *testing.T) {
	type both chan int
	type in <-chan int
	type out chan<- int
	c := make(both, 3)
	receiver, sender := in((chan int)(c)), out((chan int)(c))
	channel.Send(c, 1)
	channel.Send(sender, 2)
	channel.Send((chan<- int)(c), 3)
	channel.Select(channel.OnSend(sender, 4), channel.Default)
	if channel.Len(c) != 3 || channel.Len(receiver) != 3 || channel.Cap(receiver) != 3 {
		t.Error("Len or Cap of one type is not that of another")
	}
	channel.Close(sender)
	sum := channel.Receive(c)
	channel.Select(channel.OnReceive(receiver, &sum, nil))
	for v := range channel.Range(receiver) {
		sum += 10 * v
	}
	if sum != 32 {
		t.Errorf("received 1, then %d; want 1, then 2 and ten times 3", sum)
	}
	generic(t, both(make(chan int, 1)))
}

func generic[C ~chan E, E comparable](t *testing.T, c C) {
	var v E
	channel.Send(c, v)
	if got, ok := channel.ReceiveOK(c); got != v || !ok {
		t.Errorf("received %v, %t; want %v, true", got, ok, v)
	}
}

type failure struct{}

func (*failure) Error() string { return "failure" }

// A value that is assignable only, and a nil interface, which reflection has to be
// talked into.
func TestInterfaces(t *testing.T) {
	c := make(chan error, 3)
	channel.Send(c, error(&failure{}))
	for _, sent := range []error{&failure{}, nil} {
		if i := channel.Select(channel.OnReceive(nowhere, nil, nil), channel.OnSend(c, sent)); i != 1 {
			t.Fatalf("Select: %d, want 1", i)
		}
	}
	for _, want := range []string{"failure", "failure", "<nil>"} {
		got := errors.New("nothing received")
		if i := channel.Select(channel.OnReceive(c, &got, nil), channel.OnReceive(nowhere, nil, nil)); i != 0 || fmt.Sprint(got) != want {
			t.Errorf("Select: %d, received %v; want 0, %s", i, got, want)
		}
	}
}

// Catches: a Select that prefers some of the cases that are ready: the statement chooses uniformly.
func TestSelectChoosesUniformly(t *testing.T) {
	const rounds = 30000
	for _, others := range [][]channel.Case{nil, {channel.Default}} {
		var chosen [4]int
		for range rounds {
			c := closed(make(chan int))
			cases := []channel.Case{channel.OnReceive(nowhere, nil, nil), channel.OnReceive(c, nil, nil), channel.OnReceive(c, nil, nil), channel.OnReceive(c, nil, nil)}
			chosen[channel.Select(append(cases, others...)...)]++
		}
		for i, n := range chosen[1:] {
			if n < rounds/3*9/10 || n > rounds/3*11/10 { // twelve standard deviations
				t.Errorf("of three cases that are ready, case %d was chosen %d times of %d", i+1, n, rounds)
			}
		}
	}
}
