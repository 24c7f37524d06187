package sleeps

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/rayondemo"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// counting is a demo that counts its iterations.
func counting(iterations *int) rayondemo.Demo {
	return rayondemo.Demo{Name: "counting", New: func() func(*pool.Pool) error {
		return func(p *pool.Pool) error {
			*iterations++
			return p.Run(context.Background(), func(*pool.Worker) error { return nil })
		}
	}}
}

// Catches: configurations that have turns of different lengths, or a round less.
func TestRun(t *testing.T) {
	c := Comparison{Name: "two", Configs: []Config{{Name: "a"}, {Name: "b", Options: []sleep.Option{sleep.WithRoundsUntilSleepy(1)}}}}
	iterations := 0
	table, err := Plan{Rounds: 3, Workers: 2, Iterations: 5}.Run(context.Background(), c, counting(&iterations))
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 * 2 * (1 + 5); iterations != want {
		t.Errorf("%d iterations, want %d, the first of each turn being a warm-up", iterations, want)
	}
	for _, r := range table.Rows {
		if len(r.Wall) != 3 || len(r.CPU) != 3 || len(r.Sleeps) != 3 || len(r.Wakes) != 3 {
			t.Errorf("%s: %d, %d, %d, %d figures for 3 rounds", r.Config.Name, len(r.Wall), len(r.CPU), len(r.Sleeps), len(r.Wakes))
		}
	}
	for _, r := range table.Records("here") {
		if line, err := json.Marshal(r); err != nil || !strings.Contains(string(line), `"demo":"counting"`) {
			t.Errorf("%s, %v", line, err)
		}
	}
}

// Catches: a demo that trickles and is measured like the others.
func TestTrickle(t *testing.T) {
	iterations := 0
	demo := counting(&iterations)
	demo.Trickle = true
	plan := Plan{Rounds: 1, Workers: 1, TrickleWorkers: 3, Turn: time.Millisecond, TrickleJobs: 7}
	table, err := plan.Run(context.Background(), Comparison{Configs: []Config{{}}}, demo)
	if err != nil || table.Workers != 3 || table.Iterations != 7 || iterations != 8 {
		t.Errorf("%+v, %d iterations, %v", table, iterations, err)
	}
}

// Catches: a turn that is not calibrated, and so one iteration short.
func TestCalibrate(t *testing.T) {
	iterations := 0
	table, err := Plan{Rounds: 1, Workers: 1, Turn: 500 * time.Millisecond}.Run(context.Background(), Comparison{Configs: []Config{{}}}, counting(&iterations))
	if err != nil || table.Iterations < 2 {
		t.Errorf("%+v, %v: want more than one iteration of next to nothing", table, err)
	}
}

// Catches: trouble that goes unnoticed, or whose place is not named.
func TestRunFails(t *testing.T) {
	c := Comparison{Configs: []Config{{Name: "fine"}, {Name: "impossible", Options: []sleep.Option{sleep.WithRoundsUntilSleepy(-1)}}}}
	_, err := Plan{Rounds: 1, Workers: 1, Iterations: 1}.Run(context.Background(), c, counting(new(int)))
	if err == nil || !strings.Contains(err.Error(), "impossible") {
		t.Errorf("error %v, want one about the impossible", err)
	}
	trouble := errors.New("trouble")
	broken := rayondemo.Demo{Name: "broken", New: func() func(*pool.Pool) error { return func(*pool.Pool) error { return trouble } }}
	_, err = Plan{Rounds: 1, Workers: 1, Iterations: 1}.Run(context.Background(), Comparison{Configs: []Config{{Name: "fine"}}}, broken)
	if !errors.Is(err, trouble) || !strings.Contains(err.Error(), "broken under fine") {
		t.Errorf("error %v, want where the trouble was", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(trouble)
	if _, err = (Plan{Rounds: 1, Workers: 1, Iterations: 1}).Run(ctx, c, counting(new(int))); err != trouble {
		t.Errorf("error %v, want the cause", err)
	}
}

// Catches: a comparison of nothing, a name that is there twice, a configuration that no
// pool can be made with, and one that does not get the work done.
func TestComparisons(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Comparisons() {
		if seen[c.Name] || len(c.Configs) < 2 || c.About == "" {
			t.Errorf("%q: %d configurations, seen before: %v", c.Name, len(c.Configs), seen[c.Name])
		}
		seen[c.Name] = true
		names := map[string]bool{}
		for _, config := range c.Configs {
			if names[config.Name] {
				t.Errorf("%s: %q is there twice", c.Name, config.Name)
			}
			names[config.Name] = true
			for demo := range config.Seed {
				if !isDemo(demo) {
					t.Errorf("%s, %s: the seed has a figure for %q, which is no demo", c.Name, config.Name, demo)
				}
			}
			row := Row{Config: config}
			if err := row.turn(counting(new(int)), 2, 10); err != nil {
				t.Error(err)
			}
		}
	}
}

// Catches: a lost job that is not rescued, or not reported; a rescue of what only
// takes its time.
func TestWatch(t *testing.T) {
	p, err := pool.New(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(context.Background())
	w := watch(p, time.Millisecond)
	for p.Stats().Injected == 0 { // nothing is done, so this comes
		time.Sleep(time.Millisecond)
	}
	if w.stop() == 0 {
		t.Error("the rescue was not counted")
	}
	w = watch(p, time.Hour)
	if n := w.stop(); n != 0 {
		t.Errorf("%d rescues at once", n)
	}
}

func isDemo(name string) bool {
	for _, d := range rayondemo.All() {
		if d.Name == name {
			return true
		}
	}
	return false
}

// Catches: a ratio to another row or round, a seed figure in the wrong row.
func TestMarkdown(t *testing.T) {
	table := Table{
		Comparison: Comparison{Name: "two"},
		Demo:       rayondemo.Demo{Name: "demo"},
		Workers:    2, Iterations: 10,
		Rows: []Row{
			{Config: Config{Name: "a"}, Wall: []float64{1000, 2000, 4000}, CPU: []float64{500, 500, 1000}, Sleeps: []float64{1, 1, 1}, Wakes: []float64{2, 2, 2}},
			{Config: Config{Name: "b", Seed: map[string]string{"demo": "+8 %"}}, Wall: []float64{1500, 3000, 6000}, CPU: []float64{1000, 1000, 2000}, Sleeps: []float64{3, 3, 3}, Wakes: []float64{4, 4, 4}},
		},
	}
	want := `### two: demo, 2 workers

One iteration; medians of 3 rounds of 10 iterations.

| sleep |    time |            ratio | CPU time |            ratio |    CPU | sleeps | wakes | seed |
| ----- | ------: | ---------------: | -------: | ---------------: | -----: | -----: | ----: | ---: |
| a     | 2.00 us | 1.00 (1.00-1.00) |   500 ns | 1.00 (1.00-1.00) | 25.0 % |   1.00 |  2.00 |      |
| b     | 3.00 us | 1.50 (1.50-1.50) |  1.00 us | 2.00 (2.00-2.00) | 33.3 % |   3.00 |  4.00 | +8 % |
`
	if got := table.Markdown(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	want = `| time / CPU time |        demo |       other |
| --------------- | ----------: | ----------: |
| a               | 1.00 / 1.00 | 1.00 / 1.00 |
| b               | 1.50 / 2.00 | 2.00 / 0.50 |
`
	other := Table{Demo: rayondemo.Demo{Name: "other"}, Rows: []Row{
		{Config: Config{Name: "a"}, Wall: []float64{1}, CPU: []float64{4}},
		{Config: Config{Name: "b"}, Wall: []float64{2}, CPU: []float64{2}},
	}}
	if got := Summary([]*Table{&table, &other}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
