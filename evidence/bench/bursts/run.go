package bursts

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/measure"
)

// A Spec is the size of a burst.
type Spec struct{ Receivers, Messages int }

func (s Spec) String() string { return fmt.Sprintf("%d/%d", s.Messages, s.Receivers) }

// Specs returns burst-pool's (benches/settings.rs), and one message for one receiver.
func Specs() []Spec {
	return []Spec{{3, 1}, {3, 2}, {3, 3}, {6, 6}, {3, 4}, {3, 5}, {1, 1}}
}

// A Mode is what the sender does after a burst.
type Mode string

// The modes. They differ in Go: a woken goroutine runs at once where its waker
// ran if the waker blocks, and otherwise another processor has to find it.
const (
	Blocks   Mode = "blocks"   // it sleeps until the next burst
	Computes Mode = "computes" // it computes for ComputeTime, and then sleeps
)

const (
	// ComputeTime is how long a sender that computes does so, from the burst's beginning.
	ComputeTime = 300 * time.Microsecond
	// Busy is how long a receiver handles a message.
	Busy = time.Millisecond
	// MinPause is the least pause between bursts: a receiver may have
	// two messages of a queue to handle.
	MinPause = 3 * Busy
	// warmUp is how many bursts of a turn are not counted.
	warmUp = 3
)

// A Plan says how to measure.
type Plan struct {
	Mode   Mode
	Bursts int // of each contestant, in each spec
	Rounds int // that they are spread over
	Pause  time.Duration
}

// A Result holds the measurements of one contestant in one spec.
type Result struct {
	Mode       Mode
	Spec       Spec
	Contestant Contestant
	Bursts     int              // counted ones
	Sent       int              // messages in them
	Rounds     []measure.Series // ages of messages at their receivers in ns, by round
}

// All returns the ages of all rounds.
func (r *Result) All() (all measure.Series) {
	for _, round := range r.Rounds {
		all = append(all, round...)
	}
	return all
}

// Run measures all contestants in all specs, in turns. It returns early with an error
// if ctx ends, or if a receiver cannot be made.
func (p Plan) Run(ctx context.Context, specs []Spec, contestants []Contestant) ([]*Result, error) {
	var results []*Result
	for _, spec := range specs {
		for _, c := range contestants {
			results = append(results, &Result{Mode: p.Mode, Spec: spec, Contestant: c})
		}
	}
	err := measure.Turns(ctx, p.Rounds, len(results), func(round, i int) error {
		n := p.Bursts / p.Rounds
		if round < p.Bursts%p.Rounds { // what does not divide evenly
			n++
		}
		return results[i].turn(p, n)
	})
	return results, err
}

// Supported returns the contestants whose receivers can be made on this system.
func Supported(contestants []Contestant) (supported []Contestant) {
	for _, c := range contestants {
		line := c.New()
		if _, err := line.Receiver(); !errors.Is(err, errors.ErrUnsupported) {
			supported = append(supported, c)
		}
		line.Close()
	}
	return supported
}

// turn adds a round of n bursts.
func (r *Result) turn(p Plan, n int) error {
	line := r.Contestant.New()
	ages := make([]measure.Series, r.Spec.Receivers)
	var receivers sync.WaitGroup
	err := func() error {
		defer receivers.Wait()
		defer line.Close()
		for i := range ages {
			receive, err := line.Receiver()
			if err != nil {
				return fmt.Errorf("%s: %w", r.Contestant.Name, err)
			}
			ages[i] = make(measure.Series, 0, n*r.Spec.Messages)
			receivers.Go(func() { ages[i] = r.Contestant.attend(receive, ages[i]) })
		}
		runtime.GC()
		time.Sleep(p.Pause)
		for range warmUp {
			p.burst(line, r.Spec.Messages, false)
		}
		for range n {
			r.Sent += p.burst(line, r.Spec.Messages, true)
		}
		return nil
	}()
	if err != nil {
		return err
	}
	r.Bursts += n
	r.Rounds = append(r.Rounds, slices.Concat(ages...))
	return nil
}

// burst sends up to n messages, and then pauses until all is quiet again.
func (p Plan) burst(line Line, n int, counts bool) (sent int) {
	begin := time.Now()
	sent = line.Send(Message{begin, counts}, n)
	if p.Mode == Computes {
		for time.Since(begin) < ComputeTime {
		}
	}
	time.Sleep(p.Pause)
	return sent
}

// attend is a receiver: it appends the ages of the counted messages.
func (c Contestant) attend(receive func() (Message, bool), ages measure.Series) measure.Series {
	if c.Threads {
		runtime.LockOSThread() // until the goroutine ends, and its thread with it
	}
	for {
		m, ok := receive()
		if !ok {
			return ages
		}
		if age := time.Since(m.sent); m.counts {
			ages = append(ages, float64(age))
		}
		time.Sleep(Busy)
	}
}
