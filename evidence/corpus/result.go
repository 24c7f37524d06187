package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/command"
)

// A Result holds the measurements of a bug: a line of a file in results.
type Result struct {
	Bug    string `json:"bug"`    // its ID
	Files  string `json:"files"`  // a hash of the test and of how it is run
	Engine string `json:"engine"` // a hash of the source of the engine
	Go     string `json:"go"`
	Budget
	Version    string                  `json:"version,omitempty"` // of the library
	Verdicts   map[verdict.Verdict]int `json:"verdicts"`          // of the seeds
	Executions []int                   `json:"executions"`        // by seed: the execution that failed, from 1; 0 if none did
	Decisions  []int                   `json:"decisions"`         // likewise: of the shrunk recording
	Summary    string                  `json:"summary"`           // of the first failure
	Replayed   int                     `json:"replayed"`          // how often the first failure was reproduced
	Fixed      *Fixed                  `json:"fixed,omitempty"`   // nil if nothing is fixed
}

// A Budget is the number of runs.
type Budget struct {
	Seeds      int `json:"seeds"`       // seed 1, 2 and so on
	Executions int `json:"at_most"`     // of each seed
	Replays    int `json:"replays"`     // of the first failure
	Clean      int `json:"to_be_clean"` // executions of the fixed version
}

// Fixed is the result of the test without the bug.
type Fixed struct {
	Version    string          `json:"version,omitempty"`
	Status     string          `json:"status"`
	Verdict    verdict.Verdict `json:"verdict"`
	Executions int             `json:"executions"`
	Summary    string          `json:"summary,omitempty"`
}

// Found returns the number of seeds that found the bug.
func (r *Result) Found() (n int) {
	for _, e := range r.Executions {
		n += min(e, 1)
	}
	return n
}

// defaultExecutions is the number of executions that stress test runs of a test by default.
const defaultExecutions = 1000

// everywhere reports whether each seed has found the bug.
func (r *Result) everywhere() bool { return r.Seeds > 0 && r.Found() == r.Seeds }

// byDefault reports whether each seed has found it within the default number of executions.
func (r *Result) byDefault() bool {
	return r.everywhere() && slices.Max(r.Executions) <= defaultExecutions
}

// atOnce reports whether each seed has found it in the first execution, without a decision.
func (r *Result) atOnce() bool {
	return r.everywhere() && slices.Max(r.Executions) == 1 && slices.Max(r.Decisions) == 0
}

// A Spread is the median and the range of some numbers.
type Spread struct{ Median, Least, Most int }

// SpreadOf returns the spread of numbers. The median of an even number of them is the lower of the two in the middle.
func SpreadOf(numbers []int) Spread {
	if len(numbers) == 0 {
		return Spread{}
	}
	sorted := slices.Sorted(slices.Values(numbers))
	return Spread{sorted[(len(sorted)-1)/2], sorted[0], sorted[len(sorted)-1]}
}

// Spreads returns the spreads of the executions and the decisions of the seeds that found the bug.
func (r *Result) Spreads() (executions, decisions Spread) {
	var e, d []int
	for i, n := range r.Executions {
		if n > 0 {
			e, d = append(e, n), append(d, r.Decisions[i])
		}
	}
	return SpreadOf(e), SpreadOf(d)
}

// found returns the verdicts of the failures.
func (r *Result) found() string {
	var verdicts []string
	for _, v := range slices.Sorted(maps.Keys(r.Verdicts)) {
		if v != verdict.Pass {
			verdicts = append(verdicts, string(v))
		}
	}
	return strings.Join(verdicts, ", ")
}

func (s Spread) String() string {
	if s.Least == s.Most {
		return fmt.Sprint(s.Median)
	}
	return fmt.Sprintf("%d (%d-%d)", s.Median, s.Least, s.Most)
}

// Unexpected returns the differences between a result and the table.
func (b *Bug) Unexpected(r *Result) (all []string) {
	passes := b.Missed != "" || slices.Equal(b.Verdicts, []verdict.Verdict{verdict.Pass})
	for _, v := range slices.Sorted(maps.Keys(r.Verdicts)) {
		switch {
		case v == verdict.Pass, v == verdict.Uncontrolled: // neither is a failure
		case b.Missed != "" && slices.Contains(b.Verdicts, v) && !r.everywhere(): // some seed may be lucky
		case passes:
			all = append(all, fmt.Sprintf("found, though the table says that it is not: %s", v))
		case !slices.Contains(b.Verdicts, v):
			all = append(all, fmt.Sprintf("%s with %d seeds, want %q", v, r.Verdicts[v], b.Verdicts))
		}
	}
	if r.Found() == 0 && !passes {
		all = append(all, "missed")
	}
	if r.Found() > 0 && r.Replayed < r.Replays {
		all = append(all, fmt.Sprintf("reproduced %d of %d times", r.Replayed, r.Replays))
	}
	if r.Fixed != nil && r.Fixed.Status != "ok" {
		all = append(all, fmt.Sprintf("the fixed test: %s %s: %s", r.Fixed.Status, r.Fixed.Verdict, r.Fixed.Summary))
	}
	return all
}

// Results holds the results of all sets, by the IDs of the bugs.
type Results map[string]*Result

// ReadResults reads the files of a folder.
func ReadResults(folder string) (Results, error) {
	all := Results{}
	return all, eachLine(folder, func(line []byte) error {
		r := new(Result)
		err := json.Unmarshal(line, r)
		all[r.Bug] = r
		return err
	})
}

// eachLine calls read for each line of the files of results in a folder.
func eachLine(folder string, read func(line []byte) error) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		in := bufio.NewScanner(bytes.NewReader(text))
		in.Buffer(nil, len(text)+1)
		for n := 1; in.Scan(); n++ {
			if err := read(in.Bytes()); err != nil {
				return fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
	}
	return nil
}

// WriteLines writes a line for each value to the file of a set, in the order of their IDs.
func WriteLines[T any](folder, set string, values []T, id func(T) string) error {
	slices.SortFunc(values, func(a, b T) int { return cmp.Compare(id(a), id(b)) })
	var text bytes.Buffer
	for _, v := range values {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		text.Write(append(line, '\n'))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return command.Replace(filepath.Join(folder, set+".jsonl"), text.Bytes())
}

// Write writes the results of a set's bugs to its file.
func (rs Results) Write(folder, set string) error {
	var lines []*Result
	for _, r := range rs {
		if strings.HasPrefix(r.Bug, set+"/") {
			lines = append(lines, r)
		}
	}
	return WriteLines(folder, set, lines, func(r *Result) string { return r.Bug })
}

// String returns the result in one line.
func (r *Result) String() string {
	var words []string
	executions, decisions := r.Spreads()
	if n := r.Found(); n > 0 {
		words = append(words, r.found())
		if r.Seeds > 1 {
			words = append(words, fmt.Sprintf("by %d of %d seeds", n, r.Seeds))
		}
		words = append(words, "in execution "+executions.String(), decisions.String()+" decisions",
			fmt.Sprintf("%d of %d replays", r.Replayed, r.Replays))
	} else {
		words = append(words, fmt.Sprintf("not found in %d executions", r.Seeds*r.Budget.Executions))
	}
	if f := r.Fixed; f != nil {
		words = append(words, strings.TrimSpace(fmt.Sprintf("fixed %s", f.Version))+fmt.Sprintf(": %s in %d executions", f.Status, f.Executions))
	}
	return strings.Join(words, "; ")
}
