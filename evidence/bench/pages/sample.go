package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/page"
)

// Long returns a made-up failure of steps steps, in which four tasks take turns: two decide in the middle, and two
// wait for each other at the end.
func Long(steps int) *page.Failure {
	file := "internal/warehouse/deliveries_of_the_day.go"
	t := &explain.Timeline{Decisions: 2, Objects: map[int]string{1: "w.shelves (warehouse.go:14)", 2: "w.orders", 3: "w.open"}, Notes: []string{"a note"}}
	sources := map[int]string{}
	for i := range 4 {
		task := "main"
		if i > 0 {
			task = fmt.Sprintf("main/%d", i-1)
		}
		t.Lanes = append(t.Lanes, explain.Lane{Task: task, Title: fmt.Sprintf("%s (deliveries_test.go:%d)", task, 20+i), Part: true, First: i, Last: -1})
	}
	for i := range steps {
		s := explain.Step{Lane: i / 2 % 4, Step: i + 1, Time: int64(i/100) * 1000, Kind: "load", Text: "atomic.(*Int64).Load", Objects: []int{3}, File: file, Line: 100 + i%7}
		if i%2 == 1 {
			s.Kind, s.Text, s.Objects, s.Value = "send", "send", []int{2}, fmt.Sprintf("%d of 9", i/2%10)
		}
		if i >= 8 && i%8 == 0 {
			t.Edges = append(t.Edges, explain.Edge{From: i - 1, To: i, Kind: "write"})
		}
		sources[s.Line] = fmt.Sprintf("\tn := w.open.Load() // %d", s.Line)
		t.Steps = append(t.Steps, s)
	}
	for i := 1; i < steps; i++ {
		if t.Steps[i].Lane != t.Steps[i-1].Lane {
			t.Switches++
		}
	}
	middle, end := steps/2/8*8, steps-1
	for _, i := range []int{middle, middle + 2, end - 3, end} {
		t.Steps[i].Kept = true
	}
	t.Steps[middle].Switch, t.Steps[end].Remarks = "main #7: run main/0", []string{"waits"}
	t.Marks = []explain.Mark{
		{Kind: "notification", Steps: []int{end - 3}, Text: "none was sent"},
		{Kind: "order", Steps: []int{middle, middle + 2}, Text: "the other way round it passes"},
	}
	t.Spans = []explain.Span{{Lane: t.Steps[middle].Lane, Kind: "hold", Object: 1, From: middle, To: -1}, {Lane: t.Steps[end].Lane, Kind: "wait", Object: 1, From: end, To: -1}}
	t.Waits = []explain.Wait{{Task: t.Lanes[t.Steps[end].Lane].Task, For: []string{t.Lanes[t.Steps[middle].Lane].Task}, Object: 1, Text: "waits for a lock"}}
	found := *t
	found.Decisions, found.Marks = 412, nil
	stack := []explain.Frame{{Function: "warehouse.(*W).Close", File: file, Line: 101}}
	return &page.Failure{
		Title: "example.com/warehouse TestDeliveries", Verdict: verdict.Verdict("deadlock"), Summary: "no task can continue",
		Command: "stress test ./warehouse -run '^TestDeliveries$' --replay x.rouse",
		Page: &explain.Page{
			Head: "deadlock", Objects: t.Objects, Why: []string{"order         main's Load [3] comes first"}, Detail: "detail", Log: "log", Notes: []string{"note"},
			Left: []explain.Left{{Tasks: []string{"main"}, Name: "n", Waits: "waits", Object: 1, Stack: stack}}, Stack: stack,
		},
		Timelines: &explain.Timelines{Minimal: t, Found: &found, Sources: map[string]map[int]string{file: sources}},
	}
}

// Turns returns a made-up failure in which two tasks take turns of length steps, and the first waits at the end.
func Turns(length int) *page.Failure {
	f := Long(8)
	t := f.Timelines.Minimal
	t.Steps, t.Edges, t.Spans = nil, nil, nil
	for i := range 4 * length {
		t.Steps = append(t.Steps, explain.Step{Lane: i / length % 2, Step: i + 1, Kind: "load", Text: "atomic.(*Int64).Load", Objects: []int{3}})
	}
	last := len(t.Steps) - 1
	t.Steps[length+1].Kept, t.Steps[last].Kept = true, true
	t.Marks = []explain.Mark{{Kind: "notification", Steps: []int{last}}, {Kind: "race", Steps: []int{length + 1, last}}}
	return f
}

// Write writes the page of a failure to a file of a folder, and returns its name.
func Write(dir, name string, f *page.Failure) (file string, err error) {
	var b strings.Builder
	if err := page.Write(&b, f); err != nil {
		return "", err
	}
	file = filepath.Join(dir, name)
	return file, os.WriteFile(file, []byte(b.String()), 0o644)
}
