package scale

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/bench/measure"
)

// A Record is one run as it is written for machines: a line of JSON. Times are in virtual
// nanoseconds; 0 for what never was.
type Record struct {
	Schema   int    `json:"schema"` // 1
	Kind     string `json:"kind"`   // "scale"
	Way      string `json:"way"`
	Workload string `json:"workload"`
	Workers  int    `json:"workers"`
	Seed     uint64 `json:"seed"`
	Jobs     int    `json:"jobs"`
	Wakes    int    `json:"wakes"`
	Wasted   int    `json:"wasted_wakes"`
	Sleeps   int    `json:"sleeps"`

	Nearly float64 `json:"nine_tenths_ns"`
	Full   float64 `json:"full_ns"`
	Most   int     `json:"most_busy"`
	Took   float64 `json:"took_ns"`
	Span   float64 `json:"span_ns"`
	CPU    float64 `json:"cpu_ns"`

	Posts          int     `json:"posts"`
	Post           float64 `json:"post_ns"`
	PostMost       float64 `json:"post_most_ns"`
	WordWrites     int     `json:"word_writes"`
	WordMoved      int     `json:"word_moved"`
	WordFailed     int     `json:"word_failed"`
	WordWaited     float64 `json:"word_waited_ns"`
	InjectorWrites int     `json:"injector_writes"`
	InjectorWaited float64 `json:"injector_waited_ns"`
}

// Records returns all runs for machines.
func Records(figures []*Figure) (records []any) {
	for _, f := range figures {
		for _, r := range f.Runs {
			records = append(records, Record{1, "scale", r.Way, r.Workload, r.Workers, r.Seed, r.Jobs, r.Wakes, r.Wasted, r.Sleeps,
				r.Nearly.Nanoseconds(), r.Full.Nanoseconds(), r.Most, r.Took.Nanoseconds(), r.Span.Nanoseconds(), r.CPU.Nanoseconds(),
				r.Posts, r.Post.Nanoseconds(), r.PostMost.Nanoseconds(), r.Word.Writes, r.Word.Moved, r.Word.Failed, r.Word.Waited.Nanoseconds(),
				r.Injector.Writes, r.Injector.Waited.Nanoseconds()})
		}
	}
	return records
}

// Markdown returns a table of each workload: medians of the runs.
func Markdown(figures []*Figure) string {
	var b strings.Builder
	for _, load := range Workloads() {
		table := measure.Table{Head: []string{"workers, way", "wakes", "wasted", "sleeps"}}
		if load.Steady {
			table.Head = append(table.Head, "wakes/job", "cores burnt")
		} else {
			table.Head = append(table.Head, "nine tenths busy", "all busy", "most", "done", "CPU burnt")
		}
		table.Head = append(table.Head, "a post", "longest", "word: writes", "a wait", "lost CAS", "injector: a wait")
		any := false
		for _, f := range figures {
			if f.Workload != load.Name {
				continue
			}
			any = true
			table.Row(f.cells(load)...)
		}
		if any {
			fmt.Fprintf(&b, "\n### %s\n\n%s.\n\n%s", load.Name, strings.ToUpper(load.About[:1])+load.About[1:], &table)
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func (f *Figure) cells(load Workload) []string {
	number := func(of func(r Result) float64) string { return fmt.Sprintf("%.0f", f.Median(of)) }
	took := func(of func(r Result) Time) string {
		ns := f.Median(func(r Result) float64 { return of(r).Nanoseconds() })
		if ns == 0 {
			return "never"
		}
		return measure.Nanoseconds(ns)
	}
	wait := func(of func(r Result) Traffic) string {
		return measure.Nanoseconds(f.Median(func(r Result) float64 { return of(r).Wait() }))
	}
	cells := []string{
		fmt.Sprintf("%d, %s", f.Workers, f.Way),
		number(func(r Result) float64 { return float64(r.Wakes) }), number(func(r Result) float64 { return float64(r.Wasted) }),
		number(func(r Result) float64 { return float64(r.Sleeps) }),
	}
	if load.Steady {
		cells = append(cells, fmt.Sprintf("%.2f", f.Median(Result.WakesPerJob)), fmt.Sprintf("%.3g", f.Median(Result.Cores)))
	} else {
		cells = append(cells, took(func(r Result) Time { return r.Nearly }), took(func(r Result) Time { return r.Full }),
			number(func(r Result) float64 { return float64(r.Most) }), took(func(r Result) Time { return r.Took }), took(func(r Result) Time { return r.CPU }))
	}
	return append(cells, took(func(r Result) Time { return r.Post }), took(func(r Result) Time { return r.PostMost }),
		number(func(r Result) float64 { return float64(r.Word.Writes) }), wait(func(r Result) Traffic { return r.Word }),
		number(func(r Result) float64 { return float64(r.Word.Failed) }), wait(func(r Result) Traffic { return r.Injector }))
}

// Wait returns how long a write waited for the line, in the mean, in nanoseconds; 0 if
// there was none.
func (t Traffic) Wait() float64 {
	if t.Writes == 0 {
		return 0
	}
	return t.Waited.Nanoseconds() / float64(t.Writes)
}

// WakesPerJob returns how many workers were woken for one job, in the mean.
func (r Result) WakesPerJob() float64 { return float64(r.Wakes) / float64(max(r.Jobs, 1)) }
