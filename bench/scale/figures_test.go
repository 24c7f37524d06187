package scale

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/bench/measure"
	"github.com/rouse-go/rouse/bench/picture/picturetest"
)

func small(t *testing.T) []*Figure {
	t.Helper()
	p := Plan{Ways: AllWays(), Workloads: Workloads(), Workers: []int{2, 16}, Costs: DefaultCosts(), Seeds: 2, Cores: 2}
	figures, err := p.Run(context.Background(), func(Result) {})
	if err != nil {
		t.Fatal(err)
	}
	return figures
}

// Catches: a table without a workload, a way or a size; runs that are left out of the records.
func TestMarkdown(t *testing.T) {
	figures := small(t)
	text := Markdown(figures)
	for _, load := range Workloads() {
		if strings.Count(text, "### "+load.Name+"\n") != 1 {
			t.Errorf("no table of %s", load.Name)
		}
	}
	for _, w := range AllWays() {
		if n := strings.Count(text, "| 16, "+w.Name+" "); n != len(Workloads()) {
			t.Errorf("%d rows of %s", n, w.Name)
		}
	}
	if n := len(Records(figures)); n != len(figures)*2 {
		t.Errorf("%d records of %d figures", n, len(figures))
	}
}

// Catches: what never was, given as a time.
func TestNever(t *testing.T) {
	f := &Figure{Way: "JEC", Workload: "fork", Workers: 8, Runs: []Result{{Most: 3, Post: nanosecond, Took: nanosecond, CPU: nanosecond, PostMost: nanosecond}}}
	if text := Markdown([]*Figure{f}); strings.Count(text, "never") != 2 {
		t.Error(text)
	}
}

// Catches: a picture that is no XML, without a panel, a way, or a mark that says how much.
func TestPictures(t *testing.T) {
	figures := small(t)
	for _, p := range Pictures() {
		var file bytes.Buffer
		if err := p.WriteSVG(&file, figures); err != nil {
			t.Fatal(err)
		}
		texts := picturetest.Texts(t, &file)
		want := []string{"workers", "16"}
		for _, panel := range p.panels {
			want = append(want, panel.title)
		}
		for _, w := range AllWays() {
			want = append(want, w.Name)
		}
		for _, w := range want {
			if !texts[w] {
				t.Errorf("no %q in %s.svg", w, p.Name)
			}
		}
	}
	if got := [...]string{timeUnit(0), timeUnit(4), timeUnit(8), timeUnit(9), timeUnit(-1)}; got != [...]string{"1 ns", "10 us", "100 ms", "1 s", ""} {
		t.Errorf("%q", got)
	}
}

// Catches: a trial that is left out, or does nothing in the pool or in the model; another number of wakes
// for one job than the pool's. (How near the pool comes on a busy machine is not for a test.)
func TestValidate(t *testing.T) {
	all, err := Validate(context.Background(), DefaultCosts(), []int{4}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(trials()) * len(Ways()); len(all) != want {
		t.Fatalf("%d comparisons, want %d", len(all), want)
	}
	for _, c := range all {
		if len(c.Wakes) != 1 || len(c.Sleeps) != 1 || c.Wakes[0] <= 0 || c.OnTime.Wakes[0] < 1 || c.Late.Sleeps[0] < 1 {
			t.Errorf("%+v", c)
		}
		if c.Workload != trials()[0].name {
			continue
		}
		if want := map[string]float64{"JEC": 3, "blocks": 3, "local-queue": 3, "Tickle": 4}[c.Way]; c.OnTime.Wakes[0] != want {
			t.Errorf("%s: the model wakes %v for one job, want %v", c.Way, c.OnTime.Wakes[0], want)
		}
	}
	if text := ValidationMarkdown(all); strings.Count(text, "\n") != len(all)+2 || len(ValidationRecords("", all)) != len(all) {
		t.Errorf("not all are there:\n%s", text)
	}
}

// Catches: a cost that cannot be, or that is not measured.
func TestMeasure(t *testing.T) {
	c, err := Measure(context.Background())
	if runtime.GOMAXPROCS(0) == 1 {
		if err != ErrOneCore {
			t.Errorf("one core: %v", err)
		}
		return
	}
	if err != nil || c.Machine != measure.Machine() {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, f := range c.fields() {
		if *f.ns < 0 || *f.ns > 1e9 || *f.ns == 0 && f.ns != &c.NotifyNext && f.ns != &c.Park && f.ns != &c.Transfer {
			t.Errorf("%s is %v", f.name, *f.ns)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Measure(ctx); err == nil {
		t.Error("an ended context is no error")
	}
}
