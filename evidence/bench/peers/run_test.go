package peers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// counting is a contestant whose figure is the number of its turn.
func counting(name string, order *[]string) Contestant {
	turns := 0.0
	return Contestant{Name: name, Turn: func(context.Context) (Figures, error) {
		turns++
		*order = append(*order, name)
		return Figures{"ns/turn": turns, "allocs/turn": 0.001}, nil
	}}
}

// failing is a contestant that computes the wrong thing from its second turn on.
func failing() Contestant {
	turns := 0
	return Contestant{Name: "wrong", Turn: func(context.Context) (Figures, error) {
		if turns++; turns > 1 {
			return nil, errors.New("computed 5, want 4")
		}
		return Figures{"ns/turn": 1e-9}, nil
	}}
}

func small(order *[]string) Row {
	return Row{
		Name: "small/n=1", About: "A row.", Metrics: []string{"ns/turn", "allocs/turn"},
		Contestants: []Contestant{counting("a a", order), failing(), {Name: "missing", Missing: "apt install it"}, counting("b", order)},
		Bounds: []Bound{
			{What: "turns", Of: "b", Metric: "ns/turn", Over: []string{"a a"}, Limit: 1},
			{What: "truth", Of: "wrong", Metric: "ns/turn", Over: []string{"b"}, Limit: 1},
		},
	}
}

// Catches: turns that do not alternate, one that failed and has figures nevertheless or ends the
// row, one that is missing and counts as failed.
func TestRun(t *testing.T) {
	var order []string
	r, err := small(&order).Run(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(order), "[a a b b a a b a a]"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
	if wrong := r.of("wrong"); !wrong.Failed || wrong.Rounds != nil || wrong.Out == "" {
		t.Errorf("%+v: want it out", wrong)
	}
	if got, want := fmt.Sprint(r.Failed()), "[small/n=1, wrong: computed 5, want 4]"; got != want {
		t.Errorf("failed: %s, want %s", got, want)
	}
	if j := r.Judge(r.Row.Bounds[1]); j.Unmeasured == "" || j.Holds {
		t.Errorf("%+v: a wrong result holds no bound", j)
	}
}

// Catches: an interruption that is taken for a failed turn, or is not noticed within one.
func TestRunInterrupted(t *testing.T) {
	trouble := errors.New("trouble")
	ctx, cancel := context.WithCancelCause(t.Context())
	row := Row{Name: "r", Metrics: []string{"ns"}, Contestants: []Contestant{{Name: "c", Turn: func(context.Context) (Figures, error) {
		cancel(trouble)
		return nil, errors.New("the program ended")
	}}}}
	if _, err := row.Run(ctx, 3); err != trouble {
		t.Errorf("%v, want the cause", err)
	}
}

// Catches: a turn without the figure that the row is about.
func TestNoFigure(t *testing.T) {
	row := Row{Name: "r", Metrics: []string{"ns"}, Contestants: []Contestant{{Name: "c", Turn: func(context.Context) (Figures, error) {
		return Figures{"us": 1}, nil
	}}}}
	if r, err := row.Run(t.Context(), 1); err != nil || !strings.Contains(r.Took[0].Out, "no figure for ns") {
		t.Errorf("%+v, %v", r, err)
	}
}

// Catches: tables that say something else than the judgement, a contestant that is silently left out.
func TestMarkdown(t *testing.T) {
	var order []string
	r, err := small(&order).Run(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	want := `| what  | of    | median  | ratio            | bound      | holds          | others |
| ----- | ----- | ------- | ---------------- | ---------- | -------------- | ------ |
| turns | b     | 2.00 ns | 1.00 (1.00-1.00) | <= 1 x a a | yes            | ?      |
| truth | wrong | -       | -                | <= 1 x b   | ? wrong is out | ?      |
`
	if got := Verdicts([]*Result{r}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = `### small/n=1

A row.

|     | ns/turn | allocs/turn |            ratio |
| --- | ------: | ----------: | ---------------: |
| a a | 2.00 ns |     1.0e-03 | 1.00 (1.00-1.00) |
| b   | 2.00 ns |     1.0e-03 | 1.00 (1.00-1.00) |

Without wrong: computed 5, want 4

Without missing: apt install it
`
	if got := r.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Catches: ratios of what may be nothing.
func TestMarkdownWithoutRatios(t *testing.T) {
	r := Result{Row: Row{Name: "r", About: "A row.", Metrics: []string{"rounds-over"}}, Took: []Taken{{Contestant: "a", Rounds: rounds("rounds-over", 0)}}}
	if got, want := r.Markdown(), "|     | rounds-over |\n| --- | ----------: |\n| a   |        0.00 |\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant it to end in\n%s", got, want)
	}
}

// Catches: lines that benchstat does not read, or that mix up contestants; JSON that cannot be
// written.
func TestRecords(t *testing.T) {
	var order []string
	r, err := small(&order).Run(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := `BenchmarkPeers/row=small/n=1/who=a-a 1 1 ns/turn 0.001 allocs/turn
BenchmarkPeers/row=small/n=1/who=a-a 1 2 ns/turn 0.001 allocs/turn
BenchmarkPeers/row=small/n=1/who=b 1 1 ns/turn 0.001 allocs/turn
BenchmarkPeers/row=small/n=1/who=b 1 2 ns/turn 0.001 allocs/turn
`
	if got := r.Benchstat(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	records := r.Records("here")
	lines, err := json.Marshal(records)
	if err != nil || len(records) != 4+2 || !strings.Contains(string(lines), `"kind":"verdict","row":"small/n=1"`) {
		t.Errorf("%d records, %v: %s", len(records), err, lines)
	}
}

func TestFormat(t *testing.T) {
	for want, c := range map[string]struct {
		metric string
		x      float64
	}{
		"4.50 ns": {"ns/join", 4.5}, "45.2 ns": {"ns/join", 45.16}, "-2.00 us": {"ns", -2000}, "1.50": {"rounds", 1.5},
		"0.00": {"allocs/join", 0}, "0.01": {"rounds", 0.009}, "2.0e-03": {"allocs/join", 0.002},
	} {
		if got := format(c.metric, c.x); got != want {
			t.Errorf("%v %s: %q, want %q", c.x, c.metric, got, want)
		}
	}
}
