//go:build chaos

package control

import (
	"fmt"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
)

func TestChannels(t *testing.T) { testModels(t, channelModels) }

// Catches: a select that takes the same one of several cases for ever.
func TestSelectsAreFair(t *testing.T) {
	e, err := New(Options{Strategy: strategy.Default(), MaxSteps: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, _ := e.Run(1, func() {
		closed, end := make(chan int), make(chan int)
		channel.Close(closed)
		channel.Close(end)
		for {
			if channel.Select(channel.OnReceive(closed, nil, nil), channel.OnReceive(end, nil, nil)) == 1 {
				return
			}
		}
	})
	if r.Verdict != verdict.Pass {
		t.Errorf("%s after %d steps: %s", r.Verdict, r.Steps, r.Summary)
	}
}

// Catches: a task that is about to take from a channel when the steps are over, reported as one that waits
// for something outside.
func TestEndlessReceivesAreNoOutsiders(t *testing.T) {
	closed := func() chan int {
		c := make(chan int)
		channel.Close(c)
		return c
	}
	loops := map[verdict.Verdict]func(){
		verdict.Timeout: func() {
			for c := closed(); ; {
				channel.Receive(c)
			}
		},
		verdict.Livelock: func() {
			for c := closed(); ; {
				channel.Select(channel.OnReceive(c, nil, nil), channel.OnReceive((chan int)(nil), nil, nil))
			}
		},
	}
	for want, loop := range loops {
		e, err := New(Options{Strategy: strategy.Default(), MaxSteps: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if r, _ := e.Run(1, loop); r.Verdict != want {
			t.Errorf("%s: %s; want %s", r.Verdict, r.Summary, want)
		}
		e.Close()
	}
}

var channelModels = []modelled{
	{"a meeting", func(say func(string)) {
		c := make(chan int)
		tasks(func() { channel.Send(c, 7) })
		say(fmt.Sprint(channel.Receive(c)))
	}, []string{"7"}},

	{"two senders, one receiver", func(say func(string)) {
		c := make(chan int)
		tasks(func() { channel.Send(c, 1) }, func() { channel.Send(c, 2) })
		say(fmt.Sprint(channel.Receive(c), channel.Receive(c)))
	}, []string{"1 2", "2 1"}},

	{"a send that no task receives", func(say func(string)) {
		c := make(chan int)
		tasks(func() { channel.Send(c, 1) })
	}, []string{"leak"}},

	{"a buffer of one", func(say func(string)) {
		c := make(chan int, 1)
		var sent atomic.Int64
		tasks(func() { channel.Send(c, 1); sent.Add(1); channel.Send(c, 2); sent.Add(1) })
		for channel.Len(c) == 0 {
		}
		say(fmt.Sprint(sent.Load()))
		say(fmt.Sprint(channel.Receive(c), channel.Receive(c)))
	}, []string{"0 1 2", "1 1 2"}},

	{"a close that wakes", func(say func(string)) {
		c := make(chan int)
		tasks(func() { channel.Close(c) })
		_, ok := channel.ReceiveOK(c)
		say(fmt.Sprint(ok))
	}, []string{"false"}},

	{"a close that comes before a send", func(say func(string)) {
		c := make(chan int, 1)
		tasks(func() { channel.Close(c) })
		channel.Send(c, 1)
	}, []string{"", "panic"}},

	{"a close under a waiting sender", func(say func(string)) {
		c := make(chan int)
		tasks(func() { channel.Close(c) })
		channel.Send(c, 1)
	}, []string{"panic"}},

	{"a range", func(say func(string)) {
		c := make(chan int)
		tasks(func() { channel.Send(c, 1); channel.Send(c, 2); channel.Close(c) })
		for v := range channel.Range(c) {
			say(fmt.Sprint(v))
		}
	}, []string{"1 2"}},

	{"a select takes what is ready, either of two", func(say func(string)) {
		a, b := make(chan int, 1), make(chan int, 1)
		channel.Send(a, 1)
		channel.Send(b, 2)
		var v int
		channel.Select(channel.OnReceive(a, &v, nil), channel.OnReceive(b, &v, nil))
		say(fmt.Sprint(v))
	}, []string{"1", "2"}},

	{"a select with a default", func(say func(string)) {
		c := make(chan int, 1)
		tasks(func() { channel.Send(c, 1) })
		say(fmt.Sprint(channel.Select(channel.OnReceive(c, nil, nil), channel.Default)))
	}, []string{"-1", "0"}},

	{"a select of nothing", func(say func(string)) {
		channel.Select(channel.OnReceive((chan int)(nil), nil, nil), channel.OnSend((chan int)(nil), 1))
	}, []string{"deadlock"}},

	{"two selects meet", func(say func(string)) {
		a, b := make(chan int), make(chan int)
		var wg sync.WaitGroup
		wg.Go(func() { channel.Select(channel.OnSend(a, 1), channel.OnSend(b, 2)) })
		var v int
		i := channel.Select(channel.OnReceive(a, &v, nil), channel.OnReceive(b, &v, nil))
		wg.Wait()
		say(fmt.Sprint(i, v))
	}, []string{"0 1", "1 2"}},

	{"a select that leaves a task that waits for it", func(say func(string)) {
		a, b := make(chan int), make(chan int)
		tasks(
			func() { channel.Select(channel.OnSend(a, 1), channel.OnSend(b, 1)) },
			func() { channel.Receive(a) },
		)
		channel.Receive(b)
	}, []string{"deadlock", "leak"}},

	{"a select with itself", func(say func(string)) {
		c := make(chan int)
		channel.Select(channel.OnSend(c, 1), channel.OnReceive(c, nil, nil))
	}, []string{"deadlock"}},

	{"of three tasks that meet, each meets once", func(say func(string)) {
		c := make(chan int)
		var met atomic.Int64
		for i := range 4 {
			tasks(func() { channel.Select(channel.OnSend(c, i), channel.OnReceive(c, nil, nil)); met.Add(1) })
		}
		time.Sleep(time.Second)
		say(fmt.Sprint(met.Load()))
	}, []string{"4"}},

	{"a poller and a waiting sender", func(say func(string)) {
		c := make(chan int)
		tasks(func() { channel.Send(c, 1) })
		for channel.Select(channel.OnReceive(c, nil, nil), channel.Default) < 0 {
		}
	}, []string{""}},

	{"two pollers never meet", func(say func(string)) {
		c := make(chan int)
		tasks(func() {
			for channel.Select(channel.OnSend(c, 1), channel.Default) < 0 {
			}
		})
		for channel.Select(channel.OnReceive(c, nil, nil), channel.Default) < 0 {
		}
	}, []string{"livelock"}},

	{"a timeout, or not", func(say func(string)) {
		c := make(chan int)
		tasks(func() {
			time.Sleep(time.Second)
			channel.Select(channel.OnSend(c, 1), channel.OnReceive(time.After(time.Second), nil, nil))
		})
		say(fmt.Sprint(channel.Select(channel.OnReceive(c, nil, nil), channel.OnReceive(time.After(time.Second), nil, nil))))
	}, []string{"0", "1"}},

	{"a ticker", func(say func(string)) {
		ticker := time.NewTicker(time.Second)
		for range 3 {
			at := channel.Receive(ticker.C)
			say(fmt.Sprint(at.Second()))
		}
		ticker.Stop()
		say(fmt.Sprint(channel.Select(channel.OnReceive(ticker.C, nil, nil), channel.OnReceive(time.After(time.Minute), nil, nil))))
	}, []string{"1 2 3 1"}},

	{"a timer that is reset", func(say func(string)) {
		begin := time.Now()
		timer := time.NewTimer(time.Second)
		time.Sleep(2 * time.Second)
		say(fmt.Sprint(timer.Reset(time.Second)))
		channel.Receive(timer.C)
		say(time.Since(begin).String())
		say(fmt.Sprint(timer.Stop()))
	}, []string{"true 3s false"}},
}
