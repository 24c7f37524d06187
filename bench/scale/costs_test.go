package scale

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
)

// Catches: costs that cannot be read back, or a part of them that is not written.
func TestCostsRoundTrip(t *testing.T) {
	c := DefaultCosts()
	if c.Machine == "" {
		t.Error("nobody knows where the defaults were measured")
	}
	for i, f := range c.fields() {
		if *f.ns <= 0 {
			t.Errorf("%s is %v", f.name, *f.ns)
		}
		*f.ns = float64(i + 1)
	}
	var file bytes.Buffer
	if _, err := c.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadCosts(&file); err != nil || got != c {
		t.Errorf("%+v, %v, want %+v", got, err, c)
	}
}

// Catches: a file that is not one of costs and is taken for one, and an error that does not say where
// it is wrong, or what would be right.
func TestCostsErrors(t *testing.T) {
	var whole bytes.Buffer
	if _, err := DefaultCosts().WriteTo(&whole); err != nil {
		t.Fatal(err)
	}
	text := whole.String()
	load := fmt.Sprintf(`"load_ns": %.3g`, DefaultCosts().Load)
	if strings.Count(text, load) != 1 {
		t.Fatal(text)
	}
	for _, c := range []struct{ text, want string }{
		{"", "1:1: want a JSON object of costs"},
		{"[1]", "1:1: want a JSON object of costs"},
		{strings.Replace(text, "load_ns", "laod_ns", 1), `3:3: there is no cost "laod_ns"; did you mean "load_ns"?`},
		{strings.Replace(text, load, `"load_ns": "dear"`, 1), "3:14: load_ns: want a number of nanoseconds"},
		{strings.Replace(text, load, `"load_ns": -1`, 1), "3:14: load_ns: want a number of nanoseconds"},
		{strings.Replace(text, load, load+","+load, 1), `"load_ns" is here twice`},
		{strings.Replace(text, load+",", "", 1), "load_ns is missing"},
		{`{"machine": 1}`, "1:13: machine: want a string"},
		{strings.TrimSuffix(text, "}\n"), "the object does not end"},
	} {
		_, err := ReadCosts(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q of\n%s", err, c.want, c.text)
		}
	}
}

// Catches: a visit to one of many deques that is not dearer, or is before there are many.
func TestCostsBySize(t *testing.T) {
	c := Costs{Probe: 2, ProbeMany: 8}
	for workers, want := range map[int]Time{1: 2000, 64: 2000, 512: 5000, 4096: 8000} {
		if got := c.in(workers).probe; math.Abs(float64(got-want)) > 1 {
			t.Errorf("%d workers: %d ps a visit, want %d", workers, got, want)
		}
	}
}
