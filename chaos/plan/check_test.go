//go:build chaos

package plan

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/hooks"
)

var (
	_ = hooks.Declare("check/passed", "for these tests", hooks.Disturbs)
	_ = hooks.Declare("check/notify", "for these tests", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	_ = hooks.Declare("check/counter", "for these tests", hooks.Rolls)
)

func TestCheckAccepts(t *testing.T) {
	zero := uint64(0)
	plan := Plan{Faults: []Fault{
		{At: "check/passed", Kind: hooks.Delays, Max: time.Second},
		{At: "check/passed", Kind: hooks.Delays, Min: time.Second, Max: time.Second, Probability: 1, Count: 3, Task: "main/0"},
		{At: "check/passed", Kind: hooks.Yields, Probability: math.SmallestNonzeroFloat64},
		{At: "check/passed", Kind: hooks.Delays, Max: 9, Shape: Exponential, Mean: 9},
		{At: "check/passed", Kind: hooks.Delays, Min: 1, Max: 9, Shape: Pareto, Mean: 2, From: 3, Every: 4},
		{At: "check/passed", Kind: hooks.Holds, Until: "check/counter"},
		{At: "check/passed", Kind: hooks.Holds, Until: "check/notify", Min: 5, Max: 5, Task: "main/*"},
		{At: "check/notify", Kind: hooks.Drops},
		{At: "check/counter", Kind: hooks.Rolls},
		{At: "check/counter", Kind: hooks.Rolls, By: -4},
		{At: "check/counter", Kind: hooks.Rolls, To: &zero},
	}}
	if err := plan.Check(); err != nil {
		t.Error(err)
	}
	if err := (Plan{}).Check(); err != nil {
		t.Error("the zero plan:", err)
	}
}

func TestCheckRefuses(t *testing.T) {
	one := uint64(1)
	const passed, counter = "check/passed", "check/counter"
	if s := Shape(7).String(); s != "?" {
		t.Errorf("a shape that is none is called %q", s)
	}
	for name, c := range map[string]struct {
		fault Fault
		field string
		text  []string // parts of the message
	}{
		"misspelt point":       {Fault{At: "check/pased", Kind: hooks.Yields}, "at", []string{`"check/pased"`, `perhaps "check/passed"`}},
		"point of nowhere":     {Fault{At: "queue/full", Kind: hooks.Yields}, "at", []string{`"queue/full"`, "points that this binary declares"}},
		"no point":             {Fault{Kind: hooks.Yields}, "at", []string{`""`}},
		"no kind":              {Fault{At: passed}, "fault", []string{"none", "check/passed offers: delay, yield, hold"}},
		"two kinds":            {Fault{At: passed, Kind: hooks.Disturbs}, "fault", []string{`"delay|yield|hold"`, "a single fault"}},
		"kind that is none":    {Fault{At: passed, Kind: 1 << 14}, "fault", []string{"a single fault"}},
		"not offered":          {Fault{At: passed, Kind: hooks.Drops}, "fault", []string{`"drop"`, "check/passed offers: delay, yield, hold"}},
		"probability above":    {Fault{At: passed, Kind: hooks.Yields, Probability: 1.5}, "probability", []string{"1.5", "0 < p <= 1"}},
		"probability below":    {Fault{At: passed, Kind: hooks.Yields, Probability: -0.1}, "probability", []string{"-0.1"}},
		"probability NaN":      {Fault{At: passed, Kind: hooks.Yields, Probability: math.NaN()}, "probability", []string{"NaN"}},
		"count":                {Fault{At: passed, Kind: hooks.Yields, Count: -1}, "count", []string{"-1"}},
		"delay without length": {Fault{At: passed, Kind: hooks.Delays}, "for", []string{"no duration"}},
		"delay only min":       {Fault{At: passed, Kind: hooks.Delays, Min: time.Second}, "for", []string{"1s to 0s"}},
		"delay backwards":      {Fault{At: passed, Kind: hooks.Delays, Min: 2, Max: 1}, "for", []string{"2ns to 1ns"}},
		"delay negative min":   {Fault{At: passed, Kind: hooks.Delays, Min: -2, Max: 1}, "for", []string{"negative"}},
		"delay negative max":   {Fault{At: passed, Kind: hooks.Delays, Max: -1}, "for", []string{"negative"}},
		"from":                 {Fault{At: passed, Kind: hooks.Yields, From: -1}, "from", []string{"-1"}},
		"every":                {Fault{At: passed, Kind: hooks.Yields, Every: -1}, "every", []string{"-1"}},
		"no shape":             {Fault{At: passed, Kind: hooks.Delays, Max: 1, Shape: 7}, "shape", []string{"7", "uniform, exponential, pareto"}},
		"shape of a yield":     {Fault{At: passed, Kind: hooks.Yields, Shape: Pareto}, "shape", []string{"pareto", "belongs to a delay"}},
		"mean of a yield":      {Fault{At: passed, Kind: hooks.Yields, Mean: 1}, "mean", []string{"1ns"}},
		"uniform with mean":    {Fault{At: passed, Kind: hooks.Delays, Max: 3, Mean: 1}, "mean", []string{"1ns", "exponential or pareto"}},
		"no mean":              {Fault{At: passed, Kind: hooks.Delays, Max: 3, Shape: Exponential}, "mean", []string{"0s", "more than 0s, at most 3ns"}},
		"mean is the least":    {Fault{At: passed, Kind: hooks.Delays, Min: 2, Max: 3, Mean: 2, Shape: Pareto}, "mean", []string{"2ns", "more than 2ns"}},
		"mean above all":       {Fault{At: passed, Kind: hooks.Delays, Max: 3, Mean: 4, Shape: Exponential}, "mean", []string{"4ns", "at most 3ns"}},
		"pareto from nothing":  {Fault{At: passed, Kind: hooks.Delays, Max: 3, Mean: 2, Shape: Pareto}, "for", []string{"0s to 3ns", "above 0"}},
		"hold until nothing":   {Fault{At: passed, Kind: hooks.Holds}, "until", []string{"no point"}},
		"hold until nowhere":   {Fault{At: passed, Kind: hooks.Holds, Until: "check/notfy"}, "until", []string{`"check/notfy"`, `perhaps "check/notify"`}},
		"hold until itself":    {Fault{At: passed, Kind: hooks.Holds, Until: passed}, "until", []string{"another point"}},
		"hold for a range":     {Fault{At: passed, Kind: hooks.Holds, Until: counter, Min: 1, Max: 2}, "for", []string{"one duration"}},
		"hold for a negative":  {Fault{At: passed, Kind: hooks.Holds, Until: counter, Max: -1}, "for", []string{"negative"}},
		"hold not offered":     {Fault{At: counter, Kind: hooks.Holds, Until: passed}, "fault", []string{`"hold"`, "check/counter offers: roll"}},
		"until without hold":   {Fault{At: passed, Kind: hooks.Yields, Until: counter}, "until", []string{"belongs to a hold"}},
		"yield with length":    {Fault{At: passed, Kind: hooks.Yields, Max: 1}, "for", []string{`"yield"`, "belongs to a delay"}},
		"by without roll":      {Fault{At: passed, Kind: hooks.Yields, By: 1}, "by", []string{"belongs to a roll"}},
		"to without roll":      {Fault{At: passed, Kind: hooks.Yields, To: &one}, "to", []string{"belongs to a roll"}},
		"by and to":            {Fault{At: counter, Kind: hooks.Rolls, By: 1, To: &one}, "by", []string{"1 together with to: 1", "one of the two"}},
	} {
		t.Run(name, func(t *testing.T) {
			good := Fault{At: passed, Kind: hooks.Yields}
			err := Plan{Faults: []Fault{good, c.fault}}.Check()
			var e *PlanError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a PlanError", err)
			}
			if e.Index != 1 || e.Field != c.field {
				t.Errorf("it blames faults[%d].%s, want faults[1].%s", e.Index, e.Field, c.field)
			}
			for _, part := range append(c.text, "faults[1]."+c.field, "found "+e.Found, "want "+e.Want) {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q does not say %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one problem: %v", err)
			}
		})
	}
}

func TestCheckReturnsAllProblems(t *testing.T) {
	err := Plan{Faults: []Fault{
		{At: "check/nowhere", Kind: hooks.Yields, Count: -1},
		{At: "check/passed", Kind: hooks.Yields},
		{At: "check/passed", Kind: hooks.Rolls},
	}}.Check()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("%v cannot be taken apart", err)
	}
	type where struct {
		index int
		field string
	}
	var got []where
	for _, e := range joined.Unwrap() {
		p := e.(*PlanError)
		got = append(got, where{p.Index, p.Field})
	}
	want := []where{{0, "at"}, {0, "count"}, {2, "fault"}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got problems at %v, want %v", got, want)
	}
}
