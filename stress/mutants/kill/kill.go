package kill

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/nearest"
)

// A Program is a small use of the subject, and its oracles.
type Program struct {
	// Body is one execution: its first task.
	Body func(e *control.Engine)
	// After inspects the final state of an execution that passed, and returns the verdict and a line
	// about it. Its reads of the subject are not operations. It may be nil. (control.Engine.OnStuck
	// judges stuck executions.)
	After func() (verdict.Verdict, string)
	// Points makes each hook point a decision, not only each operation.
	Points bool
}

// A Request is what TestKill runs.
type Request struct {
	Program    string
	Strategy   string // for strategy.Parse
	Seeds      int    // series of executions; an exhaustive strategy makes one
	Executions int    // of a series, at most
}

// Flags defines the flags of a request, -kill.program and so on. Call it once, before flags are parsed.
func Flags(set *flag.FlagSet) *Request {
	r := new(Request)
	set.StringVar(&r.Program, "kill.program", "", "program of TestKill; \"\" checks that the original passes")
	set.StringVar(&r.Strategy, "kill.strategy", "pct(3)", "strategy of TestKill")
	set.IntVar(&r.Seeds, "kill.seeds", 20, "series of executions of TestKill")
	set.IntVar(&r.Executions, "kill.executions", 10_000, "executions of a series, at most")
	return r
}

// Arguments returns the flags of the request.
func (r Request) Arguments() []string {
	return []string{
		"-kill.program=" + r.Program, "-kill.strategy=" + r.Strategy,
		"-kill.seeds=" + strconv.Itoa(r.Seeds), "-kill.executions=" + strconv.Itoa(r.Executions),
	}
}

// schema is the version of the lines that answers are written in.
const schema = 1

// An Answer is the result of one series of executions, a line of JSON.
type Answer struct {
	Schema int `json:"schema"`
	Seed   int `json:"seed"`
	// Executions counts up to the one that failed, or all.
	Executions int             `json:"executions"`
	Verdict    verdict.Verdict `json:"verdict"`
	Summary    string          `json:"summary,omitempty"`
	// Complete: the strategy has nothing left to explore. Bounded describes what it left out then.
	Complete bool   `json:"complete,omitempty"`
	Bounded  string `json:"bounded,omitempty"`
}

// Killed reports whether an execution failed.
func (a Answer) Killed() bool { return a.Verdict != verdict.Pass }

// run runs the series of a request, one after the other, and calls answer after each. It needs the
// process's only engine.
func run(p Program, r Request, answer func(Answer) error) error {
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
		if _, same := by.(strategy.Exhaustive); same { // another seed would change nothing
			break
		}
	}
	return nil
}

// series runs executions until one fails, there is nothing left to explore, or most have run.
func series(p Program, by strategy.Strategy, seed, most int) (Answer, error) {
	e, err := control.New(control.Options{Strategy: by, Points: p.Points, Grace: -1}) // nothing is outside control
	if err != nil {
		return Answer{}, err
	}
	defer e.Close()
	a := Answer{Schema: schema, Seed: seed, Verdict: verdict.Pass}
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

// write writes an answer as a line.
func write(w io.Writer, a Answer) error {
	line, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s\n", line) // a test binary may have begun a line
	return err
}

// Read reads the answers in the output of a test binary, between other lines.
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
		if a.Schema != schema {
			return nil, fmt.Errorf("kill: an answer of schema %d, want %d: the test was built from another version", a.Schema, schema)
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

// Words parses the words after a program's name: "name=2" for a number, "name" for a switch, separated
// by spaces. Variables without a word keep their values.
func Words(program string, numbers map[string]*int, switches map[string]*bool) error {
	seen := map[string]bool{}
	for _, word := range strings.Fields(program) {
		name, value, has := strings.Cut(word, "=")
		number, isNumber := numbers[name]
		on, isSwitch := switches[name]
		switch n, err := strconv.ParseUint(value, 10, 31); {
		case seen[name]:
			return fmt.Errorf("duplicate word %s", name)
		case !isNumber && !isSwitch:
			known := slices.Concat(slices.Collect(maps.Keys(numbers)), slices.Collect(maps.Keys(switches)))
			slices.Sort(known)
			return fmt.Errorf("unknown word %q; %s", nearest.Clip(name), nearest.Hint(name, known))
		case isSwitch && has:
			return fmt.Errorf("found %q, want %q", word, name)
		case isSwitch:
			*on = true
		case err != nil:
			return fmt.Errorf("found %q, want %s=N, a whole number from 0 to %d", word, name, math.MaxInt32)
		default:
			*number = int(n)
		}
		seen[name] = true
	}
	return nil
}
