//go:build chaos

package explain_test

import (
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/racing"
)

// marked replaces the places of lines of this file by the comments at their ends.
func marked(t *testing.T, text string) string {
	t.Helper()
	source, err := os.ReadFile("partners_chaos_test.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	return regexp.MustCompile(`partners_chaos_test.go:\d+`).ReplaceAllStringFunc(text, func(at string) string {
		n, _ := strconv.Atoi(at[strings.IndexByte(at, ':')+1:])
		_, mark, _ := strings.Cut(lines[n-1], " // ")
		return "<" + mark + ">"
	})
}

// TestPartners: of each wait it is said which tasks have used the other side, where, and what has become of them; or
// that none has.
func TestPartners(t *testing.T) {
	for name, test := range map[string]struct {
		body func()
		want map[string]string
	}{
		"a receive from what was sent once": {func() {
			c := make(chan int, 1)
			go hooks.Task(func() {
				channel.Send(c, 1) // the send
			})()
			channel.Receive(c)
			channel.Receive(c)
		}, map[string]string{"main": "last sent by main/0 at <the send> (ended)"}},
		"a receive from what nobody uses, and another side that is only waited for": {func() {
			c := make(chan int)
			go hooks.Task(func() { channel.Receive(c) })()
			channel.Receive(c)
		}, map[string]string{"main": "no task has sent to it or closed it", "main/0": "no task has sent to it or closed it"}},
		"a send after a receive that had waited": {func() {
			c := make(chan int)
			go hooks.Task(func() {
				channel.Receive(c) // the receive
			})()
			hooks.Gosched()
			channel.Send(c, 1)
			channel.Send(c, 2)
		}, map[string]string{"main": "last received by main/0 at <the receive> (ended)"}},
		"a send without a receive": {func() {
			channel.Send(make(chan int), 1)
		}, map[string]string{"main": "no task has received from it"}},
		"a select": {func() {
			a, b := make(chan int), make(chan int)
			go hooks.Task(func() {
				channel.Receive(b) // b
				channel.Receive(make(chan bool))
			})()
			channel.Send(b, 1)
			channel.Select(channel.OnReceive(a, nil, nil), channel.OnSend(b, 1))
		}, map[string]string{"main": "[3]: no task has sent to it or closed it; [1]: last received by main/0 at <b> (waits)", "main/0": "no task has sent to it or closed it"}},
		"a WaitGroup": {func() {
			var wg sync.WaitGroup
			wg.Add(2) // add
			go hooks.Task(func() {
				wg.Done() // done
			})()
			wg.Wait()
		}, map[string]string{"main": "last Done by main/0 at <done> (ended); last Add by main at <add> (waits)"}},
		"a condition, signalled too early": {func() {
			var mu sync.Mutex
			cond := sync.NewCond(&mu)
			go hooks.Task(func() {
				cond.Signal() // early
			})()
			hooks.Gosched()
			mu.Lock()
			cond.Wait()
		}, map[string]string{"main": "last signalled by main/0 at <early> (ended)"}},
		"a condition that nothing signals": {func() {
			var mu sync.Mutex
			mu.Lock()
			sync.NewCond(&mu).Wait()
		}, map[string]string{"main": "no task has signalled it"}},
		"locks, also one's own": {func() {
			var mu sync.Mutex
			go hooks.Task(func() { mu.Lock() })()
			mu.Lock() // taken
			mu.Lock()
		}, map[string]string{"main": "held by main at <taken> (waits)", "main/0": "held by main at <taken> (waits)"}},
		"a lock that a writer wants": {func() {
			var rw sync.RWMutex
			rw.RLock() // read
			go hooks.Task(func() {
				rw.Lock() // write
			})()
			hooks.Gosched()
			rw.RLock()
		}, map[string]string{"main": "held by main at <read> (waits), main/0 at <write> (waits for the readers)", "main/0": "held by main at <read> (waits)"}},
		"many": {func() {
			c := make(chan int, 6)
			for range 5 {
				go hooks.Task(func() {
					channel.Send(c, 1) // one of five
				})()
			}
			for range 6 {
				channel.Receive(c)
			}
		}, map[string]string{"main": "last sent by main/4 at <one of five> (ended), main/3 at <one of five> (ended), main/2 at <one of five> (ended), 2 other tasks before"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]string{}
			for _, w := range timelineOf(t, strategy.Default(), test.body).Waits {
				got[w.Task] = marked(t, w.Partners)
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestPartnersOfAPart: of an execution whose beginning is unknown nothing is said, as it may have been there.
func TestPartnersOfAPart(t *testing.T) {
	e, err := control.New(control.Options{Strategy: strategy.Default()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, events := e.Trace(strategy.Schedule{}, func() { channel.Receive(make(chan int)) })
	for from, want := range []string{"no task has sent to it or closed it", ""} {
		r.TracedFrom = from
		report := &explain.Report{Result: r, Events: events}
		if text := report.String(); strings.Contains(text, "    no task has sent") != (want != "") {
			t.Errorf("from %d: %s", from, text)
		}
		if got := report.Timeline([]recording.Entry{}).Waits[0].Partners; got != want {
			t.Errorf("from %d: %q, want %q", from, got, want)
		}
	}
}

// TestCloser: of a panic of a channel that was closed the explanation and a mark say what had closed it, also if the
// task had begun to send before.
func TestCloser(t *testing.T) {
	for name, test := range map[string]struct {
		body  func()
		want  string
		races bool // the close with the send, which the race detector reports
	}{
		"a send": {func() {
			c := make(chan int)
			go hooks.Task(func() { channel.Send(c, 1) })()
			channel.Close(c) // the close
		}, "main's channel/close [1] at <the close>", true},
		"a send that waits": {func() {
			c := make(chan int)
			go hooks.Task(func() { channel.Send(c, 1) })()
			hooks.Gosched()
			channel.Close(c) // the close of the other
		}, "main's channel/close [1] at <the close of the other>", true},
		"a select, in whose function other calls follow": {func() {
			var mu sync.Mutex
			mu.Lock()
			other, c := make(chan int), make(chan int)
			channel.Close(c) // before the select
			defer mu.Unlock()
			channel.Select(channel.OnReceive(other, nil, nil), channel.OnSend(c, 1))
		}, "main's channel/close [2] at <before the select>", false},
		"a second close": {func() {
			c := make(chan int)
			for range 2 {
				go hooks.Task(func() {
					channel.Close(c) // both
				})()
			}
		}, "main/0's channel/close [1] at <both>", false},
		"another panic": {func() {
			channel.Close(make(chan int))
			panic("a bug")
		}, "", false},
	} {
		if test.races && racing.Detector {
			continue
		}
		t.Run(name, func(t *testing.T) {
			e, err := control.New(control.Options{Strategy: strategy.Default()})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			r, events := e.Trace(strategy.Schedule{}, test.body)
			why := explain.Wakeup{}.WithCloser(events, &r)
			if got := marked(t, why.Closed); got != test.want {
				t.Fatalf("got %q, want %q, of %s: %s", got, test.want, r.Verdict, r.Summary)
			}
			l := (&explain.Report{Result: r, Events: events, Why: why}).Timeline(nil)
			marks := map[string]int{}
			for _, m := range l.Marks {
				marks[m.Kind] = len(m.Steps)
			}
			if marks["panic"] == 0 || (marks["closed"] == 1) != (test.want != "") {
				t.Errorf("marks %+v", l.Marks)
			}
			if test.want != "" && (len(why.Lines()) != 1 || !strings.HasPrefix(why.Lines()[0], "closed        ")) {
				t.Errorf("lines %q", why.Lines())
			}
		})
	}
}
