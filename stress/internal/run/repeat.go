package run

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// A repeatRequest asks a child to repeat a recorded execution under control.
type repeatRequest struct {
	Schedule string // the recording
	Times    int
	// Attempts is the maximum number of attempts to shrink it; 0 is none.
	Attempts  int
	Explain   bool
	Timelines bool // with Explain: also return timelines
	// Against names the execution to compare with in Explain: see explore.Search.Passing.
	Against string
}

// A shrunk is the outcome of shrinking.
type shrunk struct {
	Attempts int
	Schedule string // the recording, "" if it no longer fails
}

// repeat serves the parts of the request in the order of its fields.
func (r *Request) repeat(of *Runner, send func(Message)) error {
	s, err := recording.Parse("the recording", r.Repeat.Schedule)
	if err != nil {
		return err
	}
	seed, _, numbered := explore.ParseExecution(r.Repeat.Against)
	if !numbered {
		seed = r.CampaignSeed
	}
	e, err := of.newExplorer(&r.Scenario, seed)
	if err != nil {
		return err
	}
	defer e.Close()
	x := recorded(s)
	alive := func() {
		send(Message{Begin: &Begin{x.Number, x.Seed, r.Scenario.Setting(x.Number)}})
	}
	for range r.Repeat.Times {
		alive()
		again, unused := e.Repeat(x, s.Schedule())
		at := recording.Repetition{Verdict: again.Verdict, Site: again.Site(), Hash: again.Hash, Unused: unused.Len()}
		send(Message{Try: &Try{Repetition: at, Summary: firstLine(again.Summary)}})
	}
	if r.Repeat.Attempts > 0 {
		send(Message{Shrunk: e.shrink(s, r.Repeat.Attempts, alive)})
	}
	if r.Repeat.Explain {
		e.announce(alive)
		f, err := e.explainRecording(s, r.Repeat.Timelines, r.Repeat.Against)
		if err != nil {
			return err
		}
		send(Message{Explained: f})
	}
	return nil
}

// explainRecording repeats a recording and explains the execution.
func (e *explorer) explainRecording(s *recording.Recording, timelines bool, against string) (*failure, error) {
	var passing []control.Event
	if against != "" {
		var err error
		var refused *explore.AgainstError
		if passing, err = e.Passing(against); errors.As(err, &refused) {
			return &failure{Incomparable: refused.Reason}, nil
		} else if err != nil {
			return nil, err
		}
	}
	x := recorded(s)
	again := e.Replay(x, s)
	again.Against(passing)
	again.Schedule = again.Schedule.Clone() // experiments follow
	result, why := e.explained(x, again.Trace, timelines)
	f := &failure{Result: result, Gone: again.Gone}
	if again.Hash == s.Hash {
		explain.Annotate(s.Entries, again.Events)
	}
	f.Schedule = s.String()
	if timelines {
		r := &explain.Report{Result: again.Result, Events: again.Events, Why: why, Scheduled: s.Tasks()}
		f.Page, f.Timelines = pageOf(r, &result), again.Timelines(r, s, nil)
		f.Page.Notes = again.Gone
	}
	return f, nil
}

// pageOf returns the page of a report, with what the subject knows beyond the events.
func pageOf(r *explain.Report, result *outcome.Result) *explain.Page {
	p := r.Page()
	_, rest, several := strings.Cut(r.Result.Summary, "\n")
	if !several { // otherwise the explanation is the rest of the summary
		p.Why = result.Explanation
	}
	var detail []string
	for _, text := range []string{rest, result.State, r.Result.Detail} {
		if text = strings.Trim(text, "\n"); text != "" {
			detail = append(detail, text)
		}
	}
	p.Head, p.Detail = fmt.Sprintf("%s: %s", result.Verdict, result.Summary), strings.Join(detail, "\n\n")
	return p
}

// announce makes alive be called before executions, at most once per AnnounceTime.
func (e *explorer) announce(alive func()) {
	announced := time.Time{}
	e.alive = func() {
		if now := time.Now(); now.Sub(announced) > AnnounceTime {
			announced = now
			alive()
		}
	}
}

// shrink looks for a shorter schedule that fails in the same way: with the same
// verdict, at the same site.
func (e *explorer) shrink(s *recording.Recording, attempts int, alive func()) *shrunk {
	x := recorded(s)
	e.announce(alive)
	first, _ := e.Repeat(x, s.Schedule())
	if first.Verdict != s.Verdict {
		return &shrunk{Attempts: 1}
	}
	begin := first.Schedule.Clone() // without entries that did not apply
	if begin.Len() > len(s.Entries) {
		begin = s.Schedule()
	}
	shortest, n := e.Shrink(x, begin, first, attempts)
	traced := e.Trace(x, shortest)
	short := e.record(x, traced.Result, shortest)
	explain.Annotate(short.Entries, traced.Events)
	short.ShrunkFrom(s)
	return &shrunk{Attempts: n, Schedule: short.String()}
}
