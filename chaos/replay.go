package chaos

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/internal/racing"
)

// Replay runs f once, under the schedule of a recording that Explore has written,
// and fails the test if it fails again: a regression test. That it passes proves little
// if decisions do not apply any more, which it logs. The options must be those of the
// Explore that wrote the recording; memory, clock and WithPoints are the recording's.
//
// To see whether a recording reproduces its failure, use the flag -chaos.replay.
func Replay(t TB, file string, f func(c *C), options ...Option) {
	t.Helper()
	Explore(t, f, append(options[:len(options):len(options)], func(s *settings) { s.replay = file })...)
}

// A repeated execution is one under the schedule of a recording.
type repeated struct {
	explore.Replay
	file      string
	recording *recording.Recording
	why       explain.Wakeup
	log       string
	timelines *explain.Timelines // if the environment asks for them
}

// repeat runs the recording of that file, with its settings.
func (x *exploration) repeat(file string, r *recording.Recording) (*repeated, error) {
	if r.Kind != recording.Controlled {
		return nil, fmt.Errorf("%s: found a %s recording, want a %s one", file, r.Kind, recording.Controlled)
	}
	now, err := x.settings.remembered(r.Options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if !slices.Equal(now.recorded(), x.settings.recorded()) {
		before := x.settings
		if err := x.become(now); err != nil {
			return nil, err
		}
		defer x.become(before) //nolint:errcheck // the engine has just been closed
	}
	p := &repeated{Replay: x.replayed(r), file: file, recording: r, log: x.last.log()}
	if p.Likeness == recording.NotReproduced && r.Race() && !racing.Detector {
		p.Differs += "; it was recorded with the race detector, which this binary does not have: add -race"
	}
	p.why = p.Why()
	if os.Getenv(explain.FailureVariable) != "" && p.Verdict != verdict.Pass { // with the settings of the recording
		report := p.explained("").Report
		report.Scheduled = r.Tasks()
		p.timelines = p.Timelines(&report, r, nil)
	}
	return p, nil
}

// replayed repeats a recording, for a debugger if it is to stop.
func (x *exploration) replayed(r *recording.Recording) explore.Replay {
	by := strategy.Execution{Number: r.Execution}
	if !x.settings.stops {
		return x.Replay(by, r)
	}
	return x.Debug(by, r, x.settings.stop, func(line string) { print(line, "\n") })
}

// replayAsked repeats the recording that was asked for, and returns what to fail the test with.
func (x *exploration) replayAsked() string {
	file := x.settings.replay
	r, err := recording.Read(file)
	if err != nil {
		return fmt.Sprintf("chaos: %v", err)
	}
	if x.settings.asked {
		if r.Subject != x.subject() {
			return fmt.Sprintf("chaos: -chaos.replay=%s: it is a recording of %s, and this is %s; use\n%s", file, r.Subject, x.subject(), command(r, file))
		}
		if n := numberIn(r); n != x.number {
			x.expects(n)
			x.t.Logf("chaos: not explored: %s is a recording of Explore no. %d of this test, and this is no. %d", file, n, x.number)
			return ""
		}
	}
	p, err := x.repeat(file, r)
	if err == nil {
		err = p.write()
	}
	switch {
	case err != nil:
		return fmt.Sprintf("chaos: %v", err)
	case p.Likeness != recording.NotReproduced:
		return p.report(fmt.Sprintf("%s again, as recorded in %s", p.Verdict, file))
	case x.settings.asked:
		return p.report(fmt.Sprintf("not reproduced: %s is recorded as %s (%s), but %s", file, r.Verdict, r.Summary, p.Differs))
	case p.Verdict != verdict.Pass:
		return p.report(fmt.Sprintf("%s, by the schedule of %s, which is recorded as %s", p.Verdict, file, r.Verdict))
	}
	x.t.Logf("chaos: %s: %s no longer happens%s", file, r.Verdict, p.movedOn())
	return ""
}

// recorded repeats the failures that earlier runs of the test have recorded.
func (x *exploration) recorded() string {
	for _, file := range x.recordings() {
		r, err := recording.Read(file)
		if err != nil {
			return fmt.Sprintf("chaos: %v", err)
		}
		if numberIn(r) != x.number {
			continue
		}
		if r.Race() && !racing.Detector && r.Verdict == verdict.DataRace {
			x.t.Logf("chaos: not repeated: %s is a data race, and this binary has no race detector", file)
			continue
		}
		p, err := x.repeat(file, r)
		switch {
		case err != nil:
			return fmt.Sprintf("chaos: %v", err)
		case p.Likeness != recording.NotReproduced:
			return p.report(fmt.Sprintf("%s: the recorded failure %s still happens", p.Verdict, file))
		case p.Verdict != verdict.Pass:
			return p.report(fmt.Sprintf("%s: the schedule of %s, which is recorded as %s, still fails, in another way", p.Verdict, file, r.Verdict))
		case r.Race() && !racing.Detector: // perhaps it still happens where it was found
		default:
			x.t.Logf("chaos: the recorded failure %s no longer happens (%s: %s); remove the file, or keep it as a regression test%s",
				file, r.Verdict, p.Differs, plain.Text(lines("gone: ", p.Gone)))
		}
	}
	return ""
}

// write writes what happened as data, if the environment asks for that.
func (p *repeated) write() error {
	file := os.Getenv(explain.FailureVariable)
	if file == "" {
		return nil
	}
	f := &explain.Failure{Verdict: p.Verdict, Summary: explain.Summary(p.Result), Differs: p.Differs}
	if p.Verdict != verdict.Pass {
		r := p.explained(string(p.Verdict))
		r.Scheduled = p.recording.Tasks()
		f.Page, f.Timelines = r.Page(), p.timelines
	}
	return f.Write(file)
}

// report returns what the test prints of it, below a line that begins with head.
func (p *repeated) report(head string) string { return p.explained(head).String() }

func (p *repeated) explained(head string) *report {
	r := &report{
		Report:    explain.Report{Result: p.Result, Events: p.Events, Why: p.why, Log: p.log},
		recording: p.recording, file: p.file, reproduces: p.Likeness != recording.NotReproduced,
	}
	switch p.Likeness {
	case recording.Exact:
		head += ", by the recorded trace"
	case recording.SameFailure:
		head += ", by another trace: the code, or what is out of control, has changed since"
		r.Notes = append(r.Notes, p.Differs)
	default:
		if p.Verdict == verdict.Pass {
			r.Events = nil
		}
	}
	if p.Verdict != verdict.Pass {
		head += ": " + explain.Summary(p.Result)
	}
	r.Head = head
	for _, g := range p.Gone {
		r.Notes = append(r.Notes, "gone: "+g)
	}
	return r
}

// lines puts each text on a line of its own, after a break.
func lines(prefix string, texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString("\n" + prefix + text)
	}
	return b.String()
}

// numberIn returns which Explore of its test the recording is of.
func numberIn(r *recording.Recording) int {
	for _, o := range r.Options {
		if text, ok := strings.CutPrefix(o, recordedNumber); ok {
			if n, err := strconv.Atoi(text); err == nil && n > 1 {
				return n
			}
		}
	}
	return 1
}

// explorations counts the Explores of each test.
var explorations struct {
	sync.Mutex
	by map[TB]int
}

// numberOf returns the number of the Explore that begins, from 1. It is always 1 for a test that
// does not say when it ends.
func numberOf(t TB) int {
	ends, ok := t.(interface{ Cleanup(func()) })
	if !ok || !reflect.TypeOf(t).Comparable() {
		return 1
	}
	explorations.Lock()
	defer explorations.Unlock()
	if explorations.by == nil {
		explorations.by = make(map[TB]int)
	}
	explorations.by[t]++
	if explorations.by[t] == 1 {
		ends.Cleanup(func() {
			explorations.Lock()
			defer explorations.Unlock()
			delete(explorations.by, t)
		})
	}
	return explorations.by[t]
}

// expects fails the test if it ends before its n-th Explore.
func (x *exploration) expects(n int) {
	t, ok := x.t.(interface {
		Cleanup(func())
		Errorf(format string, args ...any)
	})
	if !ok || x.number != 1 {
		return
	}
	t.Cleanup(func() { // runs before the one that ends the count
		explorations.Lock()
		defer explorations.Unlock()
		if made := explorations.by[x.t]; made < n {
			t.Errorf("chaos: -chaos.replay=%s: not reproduced: it is a recording of Explore no. %d of this test, which has made %d", x.settings.replay, n, made)
		}
	})
}
