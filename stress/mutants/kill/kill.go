package kill

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Version of the lines that answers are written in.
const Version = 1

// A Program is a small use of the subject, and its oracles.
type Program struct {
	// Body is one execution: what its first task does.
	Body func(e *control.Engine)
	// After looks at what an execution that has passed leaves behind, and returns the
	// verdict, and a line about it if that is not a pass any more. What it reads of the
	// subject is no operation. nil: nothing is looked at. (Of an execution that is stuck
	// the engine's judges speak: see control.Engine.OnStuck.)
	After func() (verdict.Verdict, string)
	// Points makes each hook point a decision, not only each operation.
	Points bool
}

// A Request says what to run, how often, and who chooses.
type Request struct {
	Program    string
	Strategy   string // as strategy.Parse reads it
	Seeds      int    // series of executions; an exhaustive strategy makes one
	Executions int    // of a series, at most
}

// Flags defines the flags that say what to run: -kill.program and so on. It is
// called once, before the flags are parsed.
func Flags(set *flag.FlagSet) *Request {
	r := new(Request)
	set.StringVar(&r.Program, "kill.program", "", "program of TestKill; \"\" checks that what ships survives")
	set.StringVar(&r.Strategy, "kill.strategy", "pct(3)", "strategy of TestKill")
	set.IntVar(&r.Seeds, "kill.seeds", 20, "series of executions of TestKill")
	set.IntVar(&r.Executions, "kill.executions", 10_000, "executions of a series, at most")
	return r
}

// Arguments are the flags that say it.
func (r Request) Arguments() []string {
	return []string{
		"-kill.program=" + r.Program, "-kill.strategy=" + r.Strategy,
		"-kill.seeds=" + strconv.Itoa(r.Seeds), "-kill.executions=" + strconv.Itoa(r.Executions),
	}
}

// An Answer is what one series of executions came to. It is a line of JSON.
type Answer struct {
	Schema int `json:"schema"`
	Seed   int `json:"seed"`
	// Executions counts the one that was convicted, the last; without one, all.
	Executions int             `json:"executions"`
	Verdict    verdict.Verdict `json:"verdict"`
	Summary    string          `json:"summary,omitempty"`
	// Complete: the strategy has nothing left to explore. Bounded says what it has left out
	// then; "" is nothing.
	Complete bool   `json:"complete,omitempty"`
	Bounded  string `json:"bounded,omitempty"`
}

// Killed reports whether an execution was convicted.
func (a Answer) Killed() bool { return a.Verdict != verdict.Pass }

// Run runs the series of a request, one after the other, and calls answer after
// each. It blocks until all are done, and needs the process's only engine.
func Run(p Program, r Request, answer func(Answer) error) error {
	if r.Seeds < 1 || r.Executions < 1 {
		return fmt.Errorf("kill: %d seeds, %d executions: want 1 or more of each", r.Seeds, r.Executions)
	}
	for seed := range r.Seeds {
		by, err := strategy.Parse(r.Strategy)
		if err != nil {
			return fmt.Errorf("kill: %w", err)
		}
		a, err := series(p, by, seed, r.Executions)
		if err == nil {
			err = answer(a)
		}
		if err != nil {
			return err
		}
		if _, same := by.(strategy.Exhaustive); same { // without randomness
			break
		}
	}
	return nil
}

// series makes executions until one is convicted, there is nothing left to explore,
// or there have been enough.
func series(p Program, by strategy.Strategy, seed, most int) (Answer, error) {
	e, err := control.New(control.Options{Strategy: by, Points: p.Points, Grace: -1}) // all that the programs do is known
	if err != nil {
		return Answer{}, err
	}
	defer e.Close()
	a := Answer{Schema: Version, Seed: seed, Verdict: verdict.Pass}
	from := strategy.ChildKey(uint64(seed), 0)
	body := func() { p.Body(e) }
	for a.Executions < most && !a.Killed() {
		r, more := e.Run(strategy.ChildKey(from, a.Executions), body)
		if !more {
			a.Complete, a.Bounded = true, strategy.Bounded(by)
			break
		}
		a.Executions++
		a.Verdict, a.Summary = r.Verdict, r.Summary
		if r.Verdict == verdict.Panicked {
			a.Verdict = verdict.OfPanic(r.Summary)
		}
		if p.After != nil && !a.Killed() {
			a.Verdict, a.Summary = p.After()
		}
	}
	return a, nil
}

// Write writes an answer as a line.
func Write(w io.Writer, a Answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s\n", line) // a test binary may have begun a line
	return err
}

// Read reads the answers in what a test binary has written, between other lines.
func Read(r io.Reader) (answers []Answer, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "{") {
			continue
		}
		var a Answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, fmt.Errorf("kill: found the line %q, want an answer: %w", lines.Text(), err)
		}
		if a.Schema != Version {
			return nil, fmt.Errorf("kill: an answer of schema %d, want %d: the test was built from another version", a.Schema, Version)
		}
		answers = append(answers, a)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(answers) == 0 {
		return nil, errors.New("kill: no answer")
	}
	return answers, nil
}
