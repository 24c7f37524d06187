package stress

import (
	gocontext "context"
	"errors"
	"fmt"
	"slices"
	"strings"
	gosync "sync"
	"sync/atomic"

	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/pool/burst"
)

// burstWorkload has another subject than the pool: package burst. So has burstThreadsWorkload.
var burstWorkload = Workload{
	Name:     "burst",
	About:    "Bursts against pool/burst, which has as many receivers as the pool would have workers: senders (injectors) hand out messages (jobs) and then wake all at once, while receivers give up and wait again, or leave and others come. Each message is received once, and not before its wake, or its sender is told that nobody waits, and does it itself.",
	Uses:     []string{"jobs", "injectors", "pause"},
	defaults: Sizes{Jobs: 60, Injectors: 2, Pause: defaultPause},
	small:    Sizes{Jobs: 2, Injectors: 1},
	run:      func(x *execution) { newBursts(x, (*burst.Sender[*burstMessage]).NewReceiver).run() },
}

var burstThreadsWorkload = Workload{
	Name:     "burst-threads",
	About:    "As burst, with receivers that sleep below the scheduler, on descriptors of their own, where there are such (Linux). Natively a lost wakeup is a thread in a system call, and shows only when the execution's time is up.",
	Uses:     burstWorkload.Uses,
	defaults: burstWorkload.defaults,
	small:    burstWorkload.small,
	run: func(x *execution) {
		newBursts(x, func(s *burst.Sender[*burstMessage]) (*burst.Receiver[*burstMessage], error) {
			r, err := s.NewThreadReceiver()
			if errors.Is(err, errors.ErrUnsupported) {
				return s.NewReceiver()
			}
			return r, err
		}).run()
	},
}

// A burstMessage is a job for whoever receives it.
type burstMessage struct {
	*entry
	due   *sync.WaitGroup // its sender's
	woken atomic.Bool     // a wake has begun since it was about to be handed out
	kept  atomic.Bool     // nobody would have it
}

// bursts is a sender of package burst and all that is done to it.
type bursts struct {
	x         *execution
	sender    *burst.Sender[*burstMessage]
	enqueue   func(m *burstMessage) error
	wake      func() int
	add       func(s *burst.Sender[*burstMessage]) (*burst.Receiver[*burstMessage], error)
	receivers []*receiver

	mu       gosync.Mutex    // never held over an operation of package hooks
	messages []*burstMessage // that were handed out, or were about to be
	waking   int             // wakes under way
}

type receiver struct {
	*burst.Receiver[*burstMessage]
	name  string
	waits atomic.Bool
}

func newBursts(x *execution, add func(s *burst.Sender[*burstMessage]) (*burst.Receiver[*burstMessage], error)) *bursts {
	s := burst.NewSender[*burstMessage]()
	b := &bursts{x: x, sender: s, enqueue: s.Enqueue, wake: s.Wake, add: add}
	for i := range x.workers {
		r, err := add(s)
		if err != nil {
			x.convict(WrongResult, "another receiver: %v", err)
			continue
		}
		b.receivers = append(b.receivers, &receiver{Receiver: r, name: fmt.Sprint("receiver ", i)})
	}
	x.burst.Store(b)
	return b
}

func (b *bursts) run() {
	var receivers, senders crew
	for _, r := range b.receivers {
		receivers.start(r.name, func() { b.receive(r) })
	}
	for i := range b.x.sizes.Injectors {
		name := fmt.Sprint("sender ", i)
		senders.start(name, func() { b.send(name) })
	}
	senders.Wait()
	// What is handed out when the sender closes needs no wake.
	var due sync.WaitGroup
	last := b.x.jobs.open("before the end", len(b.receivers))
	for i := range last {
		b.give(&burstMessage{entry: &last[i], due: &due})
	}
	b.wakeAll(b.sender.Close)
	due.Wait()
	receivers.Wait()
	if err := b.sender.Enqueue(nil); !errors.Is(err, burst.ErrClosed) {
		b.x.convict(WrongResult, "Enqueue after Close: %v, want %v", err, burst.ErrClosed)
	}
}

// send hands out the jobs of one sender, in bursts. It waits for a burst, or goes on with the next at
// once.
func (b *bursts) send(name string) {
	x := b.x
	r := x.rand(name)
	jobs := x.jobs.open(name, x.sizes.Jobs)
	var due sync.WaitGroup
	for len(jobs) > 0 {
		x.pause(r)
		n := min(len(jobs), 1+r.IntN(x.workers+1)) // one more than there can be receivers, now and then
		for i := range n {
			b.give(&burstMessage{entry: &jobs[i], due: &due})
		}
		jobs = jobs[n:]
		b.wakeAll(func() { b.wake() })
		if r.IntN(2) == 0 {
			due.Wait()
		}
	}
	due.Wait()
}

// give hands out m, or does it here.
func (b *bursts) give(m *burstMessage) {
	b.mu.Lock()
	b.messages = append(b.messages, m)
	m.woken.Store(b.waking > 0)
	b.mu.Unlock()
	m.due.Add(1)
	switch err := b.enqueue(m); {
	case err == nil:
		return
	case !errors.Is(err, burst.ErrBusy):
		b.x.convict(WrongResult, "%s: Enqueue: %v", m.name, err)
	}
	m.kept.Store(true)
	m.ran()
	m.due.Done()
}

// wakeAll wakes whoever has a message, by that function.
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

// receive does what r receives, until the sender is closed. Now and then it gives up a wait, or leaves and
// comes back as another.
func (b *bursts) receive(r *receiver) {
	x := b.x
	draws := x.rand(r.name)
	for {
		var m *burstMessage
		var err error
		r.waits.Store(true)
		patient := false // else it takes along what it has been given, woken or not
		switch draws.IntN(8) {
		case 0:
			m, err = leaving(r)
		case 1:
			m, err = b.givingUp(r)
		default:
			patient = true
			m, err = r.Receive()
		}
		r.waits.Store(false)
		if errors.Is(err, burst.ErrLeft) {
			r.Receiver, err = b.add(b.sender)
			if err == nil {
				continue
			}
		}
		switch {
		case errors.Is(err, burst.ErrClosed):
			return
		case errors.Is(err, gocontext.Canceled):
			continue
		case err != nil:
			x.convict(WrongResult, "%s: Receive: %v", r.name, err)
			return
		}
		if patient && !m.woken.Load() {
			x.convict(WrongResult, "%s received %s before its wake", r.name, m.name)
		}
		m.ran()
		m.due.Done()
	}
}

// givingUp receives, while another goroutine ends the wait.
func (b *bursts) givingUp(r *receiver) (*burstMessage, error) {
	ctx, cancel := context.WithCancel(gocontext.Background())
	var canceller crew
	canceller.start("canceller of "+r.name, cancel)
	defer canceller.Wait()
	return r.ReceiveContext(ctx)
}

// leaving receives, while another goroutine has r leave.
func leaving(r *receiver) (*burstMessage, error) {
	var leaver crew
	leaver.start("leaver for "+r.name, r.Leave)
	defer leaver.Wait()
	return r.Receive()
}

// victims are messages whose receivers sleep although they were woken, as far as a message tells.
func (b *bursts) victims() (victims []victim, asleep []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var worker string
	for _, r := range b.receivers {
		if r.waits.Load() {
			worker = r.name
			asleep = append(asleep, r.name)
		}
	}
	var lost []string
	for _, m := range b.messages {
		if m.woken.Load() && !m.kept.Load() && m.runs.Load() == 0 {
			lost = append(lost, m.name)
		}
	}
	if len(lost) == 0 || len(asleep) == 0 {
		return nil, asleep
	}
	if len(asleep) > 1 {
		worker = "" // whose it is, only the sender knows
	}
	return []victim{{
		what: fmt.Sprintf("%s on, with %s that nobody has received since its wake: %s",
			are(asleep, "sleeps", "sleep"), plural(len(lost), "message"), strings.Join(slices.Clip(lost[:min(len(lost), 3)]), "; ")),
		worker: worker,
		posts:  []string{"burst/enqueue-filled"},
	}}, asleep
}
