package mutation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	docs = "../../mutation"
	page = "../../mutation-scores.md"
)

// Catches: survivors that nobody has judged, judgements of what is no survivor, and a page that is not
// made of the data.
func TestPageIsCurrent(t *testing.T) {
	all, err := ReadSubjects(docs)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("%s has no subjects", docs)
	}
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != string(Page(all)) {
		t.Errorf("%s is not current: go run ./cmd/mutation page", page)
	}
}

// Catches: a line of a mutant that the source no longer has.
func TestPlace(t *testing.T) {
	m := Mutant{File: "f.go", Line: 3, Column: 4, Function: "(*T).M"}
	here := m.place()
	m.Line, m.Column = 0, 0
	if gone := m.place(); here != "f.go:3:4" || gone != `f.go, (\*T).M, since changed` {
		t.Errorf("got %s and %s", here, gone)
	}
}

// small is a subject with a mutant of each status and kind.
func small() Subject {
	return Subject{
		Name: "small",
		Judgement: Judgement{Title: "A small one", About: "Two columns.\n", Advice: "Test it.", Survivors: map[string]map[string]*Survivor{"p": {
			"open": {Open, "no test\n looks"}, "speed": {Speed, "slower"}, "same": {EquivalentByHand, "x | y"},
		}}},
		Data: Data{
			Columns: []Column{{Name: "first", Way: "command", Seconds: 30}, {Name: "second", Way: "command", Seconds: 300, Notes: []string{"T was left out"}}},
			Mutants: []Mutant{
				{Package: "p", ID: "a", Operator: "x", File: "f.go", Line: 1, Column: 2, What: "a", Status: Killed, Trials: []Trial{{"first", TrialKilled, "T", "panic", 1}, {"second", TrialSurvived, "", "", 1}}},
				{Package: "p", ID: "b", Operator: "x", File: "f.go", Line: 2, Column: 2, What: "b", Status: Killed, Trials: []Trial{{"first", TrialSurvived, "", "", 1}, {"second", TrialTimeout, "", "no end", 1}}},
				{Package: "p", ID: "c", Operator: "x", File: "f.go", Line: 3, Column: 2, What: "c", Status: Killed, Trials: []Trial{{"first", TrialKilled, "", "", 1}}}, // not tested in the second
				{Package: "p", ID: "d", Operator: "x", File: "f.go", Line: 3, Column: 2, What: "d", Status: Killed, Trials: []Trial{{"first", TrialKilled, "", "", 1}, {"second", TrialKilled, "", "", 1}}},
				{Package: "p", ID: "open", Operator: "y", File: "f.go", Line: 4, Column: 2, What: "*o", Status: Survived, Trials: []Trial{{"first", TrialSurvived, "", "", 1}, {"second", TrialSurvived, "", "", 1}}},
				{Package: "p", ID: "speed", Operator: "y", File: "f.go", Line: 5, Column: 2, What: "s", Status: Uncovered},
				{Package: "p", ID: "same", Operator: "y", File: "f.go", Line: 6, Column: 2, What: "e", Status: Survived, Trials: []Trial{{"first", TrialNotRun, "", "", 0}}},
				{Package: "p", ID: "g", Operator: "y", File: "f.go", Line: 7, Column: 2, What: "g", Status: Equivalent, Trials: []Trial{{"first", TrialSurvived, "", "", 1}, {"second", TrialKilled, "", "", 1}}},
				{Package: "p", ID: "h", Operator: "y", File: "f.go", Line: 8, Column: 2, What: "h", Status: Errored, Trials: []Trial{{"first", TrialError, "", "", 1}}},
			},
		},
	}
}

// Catches: wrong counts: dropped or equivalent mutants in the score, kills of an earlier way as kills of
// a later one, survivors in the wrong order.
func TestPage(t *testing.T) {
	got := string(Page([]Subject{small()}))
	_, got, _ = strings.Cut(got, "has no entry.\n")
	want := `
| subject | mutants | dropped | killed | open | speed | equivalent | score |
|---|---:|---:|---:|---:|---:|---:|---:|
| [A small one](#a-small-one) | 9 | 1 | 4 | 1 | 1 | 1 | 66.6 % |

## A small one

Two columns.

9 mutants, 1 dropped. Of the other 7, 4 are killed (57.1 %). Without the 1 that are equivalent by
argument, the score is 66.6 % of 6. 1 could not be tested.

| way | budget | tested | killed | without an end | not by those above | score with those above |
|---|---:|---:|---:|---:|---:|---:|
| first | 30 s | 5 | 3 | 0 | 3 | 50.0 % |
| second | 5 min | 4 | 2 | 1 | 1 | 66.6 % |

second: T was left out.

### Killed by a way, and by none above it

| way | mutant | change | killed by |
|---|---|---|---|
| second | f.go:2:2 | ` + "`x`" + `: b | no end |

### By operator

| operator | mutants | dropped | killed | by first | by second | survived | open | speed | equivalent | score |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| ` + "`x`" + ` | 4 | 0 | 4 | 3 | 2 | 0 | 0 | 0 | 0 | 100.0 % |
| ` + "`y`" + ` | 5 | 1 | 0 | 0 | 0 | 3 | 1 | 1 | 1 | 0.0 % |
| all | 9 | 1 | 4 | 3 | 2 | 3 | 1 | 1 | 1 | 66.6 % |

### Survivors

| mutant | change | kind | why |
|---|---|---|---|
| f.go:4:2 | ` + "`y`" + `: \*o | open | no test looks |
| f.go:5:2 | ` + "`y`" + `: s | speed, uncovered | slower |
| f.go:6:2 | ` + "`y`" + `: e | equivalent | x \| y |

Test it.
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Catches: a survivor without an entry, and an entry of a mutant that was killed or that there is not.
func TestCheck(t *testing.T) {
	s := small()
	if err := s.Check(&s.Data); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*Subject)
		want   string
	}{
		"no entry":   {func(s *Subject) { delete(s.Survivors["p"], "speed") }, "p speed survives (f.go:5:2, s) and has no entry"},
		"killed":     {func(s *Subject) { s.Survivors["p"]["a"] = &Survivor{Open, "w"} }, "p a is no survivor but killed"},
		"no mutant":  {func(s *Subject) { s.Survivors["p"]["z"] = &Survivor{Open, "w"} }, "p z: there is no such mutant"},
		"no package": {func(s *Subject) { s.Survivors["q"] = map[string]*Survivor{"a": {Open, "w"}} }, "q a: there is no such mutant"},
	} {
		s := small()
		c.change(&s)
		if err := s.Check(&s.Data); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}

// Catches: entries that are taken although they say nothing, and files that belong to no subject.
func TestReadSubjects(t *testing.T) {
	const title = "title: T\nsurvivors:\n  p:\n"
	s := small()
	s.Mutants = s.Mutants[:1]
	for name, c := range map[string]struct {
		yaml, extra, want string
	}{
		"good":       {"title: T\n", "", ""},
		"no title":   {"about: A\n", "", "s.yaml: it has no title"},
		"a field":    {"title: T\nabuot: A\n", "", "abuot"},
		"no kind":    {title + "    a:\n", "", "p a has no kind"},
		"a kind":     {title + "    a: {kind: slow, why: w}\n", "", `p a: found the kind "slow", want one of`},
		"no why":     {title + "    a: {kind: open}\n", "", "p a does not say why"},
		"twice":      {title + "    a: {kind: open, why: w}\n    a: {kind: open, why: w}\n", "", "already defined"},
		"no data":    {"title: T\n", "other.yaml", "other.yaml has no data"},
		"other file": {"title: T\n", "notes.txt", "notes.txt is no file of a subject"},
	} {
		dir := t.TempDir()
		for file, text := range map[string]string{"s.yaml": c.yaml, c.extra: "title: T\n"} {
			if file == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Write(filepath.Join(dir, "s.jsonl")); err != nil {
			t.Fatal(err)
		}
		all, err := ReadSubjects(dir)
		switch {
		case c.want == "" && (err != nil || len(all) != 1 || all[0].Name != "s" || !slices.EqualFunc(all[0].Mutants, s.Mutants, sameMutant)):
			t.Errorf("%s: %+v, error %v", name, all, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}

func sameMutant(a, b Mutant) bool {
	return a.ID == b.ID && a.Status == b.Status && slices.Equal(a.Trials, b.Trials) && a.place() == b.place()
}
