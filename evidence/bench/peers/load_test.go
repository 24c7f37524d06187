package peers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// written returns the lines of a result.
func written(t *testing.T, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	for _, record := range r.Records("here") {
		if err := json.NewEncoder(&b).Encode(record); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// Catches: a result that is another after it was written and read.
func TestLoad(t *testing.T) {
	var order []string
	row := small(&order)
	r, err := row.Run(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	r.Others = 0.125
	if !strings.Contains(Verdicts([]*Result{r}), "| 12 %   |") {
		t.Error(Verdicts([]*Result{r}))
	}
	back, err := Load(strings.NewReader(written(t, r)), "here", []Row{{Name: "other"}, row})
	if err != nil || len(back) != 1 {
		t.Fatalf("%d results, %v", len(back), err)
	}
	if back[0].Markdown() != r.Markdown() || Verdicts(back) != Verdicts([]*Result{r}) || back[0].Rounds() != 2 {
		t.Errorf("read\n%s\n%s\nwritten\n%s", Verdicts(back), back[0].Markdown(), r.Markdown())
	}
}

// Catches: figures that are compared with others although they were measured elsewhere, with other
// sizes, or of others.
func TestLoadOthers(t *testing.T) {
	var order []string
	r, err := small(&order).Run(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	lines := written(t, r)
	larger, fewer, more := small(&order), small(&order), small(&order)
	larger.About = "A larger row."
	fewer.Contestants = fewer.Contestants[:2]
	more.Contestants = append(slices.Clone(more.Contestants), Contestant{Name: "c"})
	for i, row := range []Row{larger, fewer, more} {
		if back, err := Load(strings.NewReader(lines), "here", []Row{row}); err != nil || len(back) != 0 {
			t.Errorf("%d: %d results, %v, want none", i, len(back), err)
		}
	}
	if back, err := Load(strings.NewReader(lines), "there", []Row{small(&order)}); err != nil || len(back) != 0 {
		t.Errorf("%d results of another machine, %v", len(back), err)
	}
}

// Catches: a file of something else that is taken for an empty one.
func TestLoadGarbage(t *testing.T) {
	for line, want := range map[string]string{
		`{"schema":1,"kind":"verdict"}` + "\n{": "line 2: unexpected end",
		`{"schema":7}`:                          "line 1: schema 7, want 1",
	} {
		if _, err := Load(strings.NewReader(line), "here", nil); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
