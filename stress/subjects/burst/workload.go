package burst

import (
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	gosync "sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/hooks/time"
	"github.com/rouse-go/rouse/pool/burst"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/subject"
)

// Subject describes a sender of package burst and its receivers, with a campaign of its own.
func Subject() subject.Subject { return target(receivers, threadReceivers).Subject() }

//go:embed scenarios.yaml
var scenarios []byte

const (
	maxReceivers = 256
	maxMessages  = 1 << 17          // of one execution: at worst ten seconds on two cores, with the race detector
	maxPause     = 10 * time.Second // of all pauses that follow one another
	defaultPause = 300 * time.Microsecond
)

// newReceiver adds a receiver to a sender.
type newReceiver func(s *burst.Sender[*burstMessage]) (*burst.Receiver[*burstMessage], error)

// receivers sleep in Go's scheduler, threadReceivers below it.
var receivers newReceiver = (*burst.Sender[*burstMessage]).NewReceiver

func threadReceivers(s *burst.Sender[*burstMessage]) (*burst.Receiver[*burstMessage], error) {
	r, err := s.NewThreadReceiver()
	if errors.Is(err, errors.ErrUnsupported) {
		return s.NewReceiver()
	}
	return r, err
}

func target(goroutines, threads newReceiver) subject.Target[*bursts] {
	sizes := []subject.Param{
		subject.Count{Name: "messages", About: "Of each sender.", Default: 60, Small: 2, Most: 100_000},
		subject.Count{Name: "senders", About: "Goroutines that hand out messages.", Default: 2, Small: 1, Most: 1000},
		subject.Span{Name: "pause", About: "Before each burst, at most, so that receivers fall asleep.", Default: defaultPause, Small: subject.None, Most: maxPause},
	}
	run := func(add newReceiver) func(*subject.Execution, *bursts) {
		return func(_ *subject.Execution, b *bursts) { b.run(add) }
	}
	return subject.Target[*bursts]{
		Name: "burst", Packages: []string{"burst"}, Scenarios: scenarios, Grace: -1,
		Params: []subject.Param{
			subject.Count{Name: "receivers", About: "How many there are, by execution number.", Most: maxReceivers, Required: true, List: true},
		},
		New: newBursts,
		Workloads: []subject.Work[*bursts]{{
			Name:   "burst",
			About:  "Senders hand out messages and then wake all receivers at once, while receivers give up and wait again, or leave and others come, or two goroutines want the same one. A wait ends by its context, even if nobody sends. Each message is received once, and not before its wake, or Enqueue reports that there is no receiver, and the sender does it itself.",
			Params: sizes, Check: check, Run: run(goroutines),
		}, {
			Name:   "burst-threads",
			About:  "As burst, with receivers that sleep below the scheduler, on descriptors of their own, where the system has them (Linux). Natively a lost wakeup is a thread in a system call, and shows only when the execution's time is up.",
			Params: sizes, Check: check, Run: run(threads),
		}, {
			Name:   "burst-counts",
			About:  "As burst, while another goroutine counts the receivers and those that wait: there are never more than were made, and none at the end. While nobody else sends and nobody gives up, a receiver that counts as waiting takes a message; so no plan may have looks for one fail (burst/enqueue-look).",
			Params: sizes, Check: check, Run: func(_ *subject.Execution, b *bursts) {
				b.count = (*burst.Sender[*burstMessage]).Waiting
				b.run(goroutines)
			},
		}},
		Diagnose: (*bursts).diagnose,
	}
}

// check refuses sizes that are too large: each message may wake its receiver, and each wait may be given up.
func check(v subject.Values) error {
	const each = 2 + 4 // a wake, and a receiver that ends and one that starts
	if (v.Count("senders")*v.Count("messages")+v.Count("receivers"))*each > maxMessages {
		return fmt.Errorf("the workload comes to more than %d messages, wakes and receivers in an execution, want at most so many", maxMessages)
	}
	if time.Duration(v.Count("messages"))*v.Span("pause") > maxPause {
		return fmt.Errorf("the pauses come to more than %s in an execution, want at most that", maxPause)
	}
	return nil
}

// A burstMessage is a job for its receiver.
type burstMessage struct {
	subject.Job
	due   *sync.WaitGroup // of its sender
	woken atomic.Bool     // a wake has begun since it was about to be handed out
	kept  atomic.Bool     // no receiver has taken it
}

// bursts is a sender of package burst with the state of its workload.
type bursts struct {
	x         *subject.Execution
	sender    *burst.Sender[*burstMessage]
	enqueue   func(m *burstMessage) error
	wake      func() int
	add       newReceiver
	count     func(s *burst.Sender[*burstMessage]) int // returns the number of waiting receivers; nil: no counting
	receivers []*receiver
	begun     sync.WaitGroup // by the receivers: their first wait is over

	mu       gosync.Mutex    // never held over an operation of package hooks
	messages []*burstMessage // handed out, or about to be
	waking   int             // wakes in progress
}

// newBursts is the target's New.
func newBursts(x *subject.Execution) *bursts {
	s := burst.NewSender[*burstMessage]()
	return &bursts{x: x, sender: s, enqueue: s.Enqueue, wake: s.Wake}
}

// pause sleeps for a random time up to the scenario's pause.
func (b *bursts) pause(r *rand.Rand) {
	if d := b.x.Span("pause"); d > 0 {
		time.Sleep(time.Duration(r.Int64N(int64(d) + 1)))
	}
}

// run runs a workload with receivers that add makes.
func (b *bursts) run(add newReceiver) {
	b.add = add
	for i := range b.x.Count("receivers") {
		r, err := add(b.sender)
		if err != nil {
			b.x.Fail(verdict.WrongResult, "another receiver: %v", err)
			continue
		}
		b.mu.Lock()
		b.receivers = append(b.receivers, &receiver{Receiver: r, name: fmt.Sprint("receiver ", i)})
		b.mu.Unlock()
	}
	var receivers, senders subject.Crew
	b.counted(len(b.receivers), len(b.receivers))
	if b.count != nil {
		senders.Start("counter", func() {
			for range countings {
				b.counted(0, len(b.receivers))
				hooks.Gosched()
			}
		})
	}
	b.begun.Add(len(b.receivers))
	for _, r := range b.receivers {
		receivers.Start(r.name, func() { b.receive(r) })
	}
	b.begun.Wait()
	if b.count != nil {
		b.first()
	}
	for i := range b.x.Count("senders") {
		name := fmt.Sprint("sender ", i)
		senders.Start(name, func() { b.send(name) })
	}
	senders.Wait()
	// Messages that are handed out before the sender closes need no wake.
	var due sync.WaitGroup
	last := b.x.Jobs("before the end", len(b.receivers))
	for i := range last {
		b.give(&burstMessage{Job: last[i], due: &due})
	}
	b.wakeAll(b.sender.Close)
	due.Wait()
	receivers.Wait()
	b.counted(0, 0)
	if err := b.sender.Enqueue(nil); !errors.Is(err, burst.ErrClosed) {
		b.x.Fail(verdict.WrongResult, "Enqueue after Close: %v, want %v", err, burst.ErrClosed)
	}
}

// countings is the number of times that receivers are counted while others send.
const countings = 4

// counted checks, if b.count is set, that there are least to most receivers.
func (b *bursts) counted(least, most int) {
	if b.count == nil {
		return
	}
	if n := b.sender.Receivers(); n < least || n > most {
		b.x.Fail(verdict.WrongResult, "there are %d receivers, want %d to %d", n, least, most)
	}
	if n := b.count(b.sender); n < 0 || n > most {
		b.x.Fail(verdict.WrongResult, "%d receivers wait, want at most %d", n, most)
	}
}

// send hands out the jobs of one sender, in bursts. It waits for a burst, or begins the next at
// once.
func (b *bursts) send(name string) {
	x := b.x
	r := x.Rand(name)
	jobs := x.Jobs(name, x.Count("messages"))
	var due sync.WaitGroup
	for len(jobs) > 0 {
		b.pause(r)
		n := min(len(jobs), 1+r.IntN(x.Count("receivers")+1)) // now and then one more than there are receivers
		for i := range n {
			b.give(&burstMessage{Job: jobs[i], due: &due})
		}
		jobs = jobs[n:]
		b.wakeAll(func() { b.wake() })
		if r.IntN(2) == 0 {
			due.Wait()
		}
	}
	due.Wait()
}

// first hands out a message for each receiver. No other sender sends yet, and no receiver gives up, so
// a receiver that counts as waiting takes the message.
func (b *bursts) first() {
	var due sync.WaitGroup
	for _, job := range b.x.Jobs("first", len(b.receivers)) {
		waiting := b.count(b.sender)
		if !b.give(&burstMessage{Job: job, due: &due}) && waiting > 0 {
			b.x.Fail(verdict.WrongResult, "%s: Enqueue: %v, although %s waited", job.Name(), burst.ErrBusy, prose.Plural(waiting, "receiver"))
		}
	}
	b.wakeAll(func() { b.wake() })
	due.Wait()
}

// give hands out m, or does it itself. It reports whether a receiver has it.
func (b *bursts) give(m *burstMessage) bool {
	b.mu.Lock()
	b.messages = append(b.messages, m)
	m.woken.Store(b.waking > 0)
	b.mu.Unlock()
	m.due.Add(1)
	switch err := b.enqueue(m); {
	case err == nil:
		return true
	case !errors.Is(err, burst.ErrBusy):
		b.x.Fail(verdict.WrongResult, "%s: Enqueue: %v", m.Name(), err)
	}
	m.kept.Store(true)
	m.Done()
	m.due.Done()
	return false
}

// wakeAll wakes all receivers that have a message, by calling wake.
func (b *bursts) wakeAll(wake func()) {
	b.mu.Lock()
	b.waking++
	for _, m := range b.messages {
		m.woken.Store(true)
	}
	b.mu.Unlock()
	wake()
	b.mu.Lock()
	b.waking--
	b.mu.Unlock()
}

// diagnose finds messages whose receivers sleep although they were woken, as far as a message shows that.
func (b *bursts) diagnose(stuck subject.Stuck) *subject.Diagnosis {
	b.mu.Lock()
	defer b.mu.Unlock()
	d := &subject.Diagnosis{Verdict: verdict.Deadlock, Summary: subject.Unexplained, Checks: []string{"burst/receive-waits"}}
	for _, r := range b.receivers {
		if r.waits.Load() {
			d.Sleeper = r.name
			d.Sleepers = append(d.Sleepers, r.name)
		}
	}
	var lost []string
	for _, m := range b.messages {
		if m.woken.Load() && !m.kept.Load() && m.Runs() == 0 {
			lost = append(lost, m.Name())
		}
	}
	if len(lost) == 0 || len(d.Sleepers) == 0 {
		if stuck.Lost > 0 {
			d.Summary += fmt.Sprintf("; %d jobs have not run: %s", stuck.Lost, strings.Join(stuck.Unrun, "; "))
		}
		d.Sleeper = ""
		return d
	}
	if len(d.Sleepers) > 1 {
		d.Sleeper = "" // only the sender knows whose message it is
	}
	d.Verdict, d.Posts = verdict.LostWakeup, []string{"burst/enqueue-filled"}
	d.Summary = fmt.Sprintf("%s on, with %s that no receiver has taken since its wake: %s",
		prose.Are(d.Sleepers, "sleeps", "sleep"), prose.Plural(len(lost), "message"), strings.Join(lost[:min(len(lost), 3)], "; "))
	return d
}
