package channel_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/hooks/channel"
)

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
