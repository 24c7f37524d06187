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
	for name, c := range map[string]struct {
		fault Fault
		field string
		text  []string // parts of the message
	}{
		"misspelt point":       {Fault{At: "check/pased", Kind: hooks.Yields}, "at", []string{`"check/pased"`, `perhaps "check/passed"`}},
		"point of nowhere":     {Fault{At: "queue/full", Kind: hooks.Yields}, "at", []string{`"queue/full"`, "one of the 3 points"}},
		"no point":             {Fault{Kind: hooks.Yields}, "at", []string{`""`}},
		"no kind":              {Fault{At: passed}, "fault", []string{"none", "check/passed offers: delay, yield"}},
		"two kinds":            {Fault{At: passed, Kind: hooks.Disturbs}, "fault", []string{`"delay|yield"`, "a single fault"}},
		"kind that is none":    {Fault{At: passed, Kind: 1 << 14}, "fault", []string{"a single fault"}},
		"not offered":          {Fault{At: passed, Kind: hooks.Drops}, "fault", []string{`"drop"`, "check/passed offers: delay, yield"}},
		"probability above":    {Fault{At: passed, Kind: hooks.Yields, Probability: 1.5}, "probability", []string{"1.5", "0 < p <= 1"}},
		"probability below":    {Fault{At: passed, Kind: hooks.Yields, Probability: -0.1}, "probability", []string{"-0.1"}},
		"probability NaN":      {Fault{At: passed, Kind: hooks.Yields, Probability: math.NaN()}, "probability", []string{"NaN"}},
		"count":                {Fault{At: passed, Kind: hooks.Yields, Count: -1}, "count", []string{"-1"}},
		"delay without length": {Fault{At: passed, Kind: hooks.Delays}, "for", []string{"no duration"}},
		"delay only min":       {Fault{At: passed, Kind: hooks.Delays, Min: time.Second}, "for", []string{"1s to 0s"}},
		"delay backwards":      {Fault{At: passed, Kind: hooks.Delays, Min: 2, Max: 1}, "for", []string{"2ns to 1ns"}},
		"delay negative min":   {Fault{At: passed, Kind: hooks.Delays, Min: -2, Max: 1}, "for", []string{"negative"}},
		"delay negative max":   {Fault{At: passed, Kind: hooks.Delays, Max: -1}, "for", []string{"negative"}},
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
