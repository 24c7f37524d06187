package corpus

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
)

func readFailures(t *testing.T) []*Failure {
	sets, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadFailures(".", sets)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Catches: a failure with an answer in a file or a line that does not exist, as far as its sources are here, and
// twenty that are fewer.
func TestFailures(t *testing.T) {
	all := readFailures(t)
	if len(all) != 20 {
		t.Errorf("%d failures, want 20", len(all))
	}
	module, seen := t.TempDir(), map[string]bool{}
	if _, err := goroot.GoKer(t.Context(), module); err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if seen[f.Bug.ID()] {
			t.Errorf("%s is asked about twice", f.Bug.ID())
		}
		seen[f.Bug.ID()] = true
		dir := filepath.Join(f.Bug.Set.Dir, f.Bug.Package)
		if f.Bug.Set.Name == "goroot" {
			dir = module
		}
		places := slices.Concat(f.Change, f.Waits, f.Last)
		for _, p := range f.Order {
			places = append(places, p[:]...)
		}
		for _, p := range places {
			text, err := os.ReadFile(filepath.Join(dir, p.File))
			if err != nil && f.Bug.Released() && p.File != "driver_test.go" {
				continue // its library is not here
			}
			if n := strings.Count(string(text), "\n"); err != nil || p.Last > n {
				t.Errorf("%s: %v, of %d lines: %v", f.Bug.ID(), p, n, err)
			}
		}
	}
}

// Catches: an answer that gets another mark than it should.
func TestMarks(t *testing.T) {
	place := func(text string) Place {
		p, err := parsePlace(text)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	places := func(texts ...string) (all []Place) {
		for _, text := range texts {
			all = append(all, place(text))
		}
		return all
	}
	f := &Failure{Bug: &Bug{Set: &Set{Name: "s"}, Name: "n"}, Number: 1, Order: []Pair{{place("a.go:1"), place("a.go:5-6")}}, Change: places("a.go:1-3", "b.go:7"), Waits: places("a.go:1", "a.go:9")}
	const command = "stress test ./p -run '^T$' --replay p/1.rouse"
	for name, c := range map[string]struct {
		answer Answer
		race   bool
		want   [5]Mark
	}{
		"right":                   {Answer{places("x/a.go:2"), places("a.go:1", "a.go:5"), places("a.go:9", "a.go:1"), nil, command}, false, [5]Mark{Right, Right, Right, Right, Right}},
		"partly":                  {Answer{places("a.go:2", "a.go:4"), places("a.go:5", "a.go:1"), places("a.go:9"), nil, "stress replay 1.rouse"}, false, [5]Mark{Partly, Partly, Partly, Right, Right}},
		"wrong":                   {Answer{places("c.go:2"), places("a.go:2", "a.go:4"), places("a.go:2"), places("a.go:2"), "go test"}, false, [5]Mark{}},
		"a race has no order":     {Answer{places("b.go:6-7"), places("a.go:6", "a.go:1"), places("a.go:1", "a.go:9", "a.go:2"), nil, command}, true, [5]Mark{Right, Right, Partly, Right, Right}},
		"one operation, and none": {Answer{nil, places("a.go:1"), nil, nil, ""}, false, [5]Mark{Wrong, Partly, Wrong, Right, Wrong}},
	} {
		if f.Race = c.race; f.marks(&c.answer) != c.want {
			t.Errorf("%s: %v, want %v", name, f.marks(&c.answer), c.want)
		}
	}
	f.Race = false
	good := &Answer{Change: places("a.go:1"), Command: command}
	marks := Compare([]*Failure{f, {Number: 2}}, []Answers{{1: good}, {1: {}}})
	if len(marks) != 1 || !reflect.DeepEqual(marks[0].Marks[0], []Mark{Right, Wrong}) {
		t.Fatal(marks)
	}
	page, err := marks.Fill("before\n" + beginResults + "old" + endResults + "\nafter")
	want := "before\n" + beginResults + "\n| failure | change | order | waits | last | command |\n|---|---|---|---|---|---|\n" +
		"| 1 `s/n` | 1 of 2 | 0 of 2 | 0 of 2 | 2 of 2 | 1 of 2 |\n| right | 1 of 2 | 0 of 2 | 0 of 2 | 2 of 2 | 1 of 2 |\n\n" + endResults + "\nafter"
	if err != nil || page != want {
		t.Errorf("%v\n%s\nwant\n%s", err, page, want)
	}
	if _, err := marks.Fill("nothing"); err == nil {
		t.Error("a page without a place for the results is filled")
	}
}

// Catches: answers with a mistake that are taken, or whose message does not say where it is and what is wanted.
func TestAnswerMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"answers:\n  - change: [a.go:1]\n":               `an entry lacks the key "number"`,
		"answers:\n  - number: 3\n":                      `answers.yaml:2:13: number: found 3, want`,
		"answers:\n  - number: 1\n    chnge: [a.go:1]\n": `did you mean "change"?`,
		"answers:\n  - number: 1\n    change: [a.go]\n":  `answers.yaml:3:14: change: found "a.go", want a place such as pool.go:75 or pool.go:75-80`,
		"answers:\n  - number: 1\n    last: a.go:9-8\n":  `want lines from 1, the first one first`,
		"answers:\n  - number: 1\n  - number: 1\n":       `number: 1 has been answered before`,
		"answer: []\n": `did you mean "answers"?`,
	} {
		name := filepath.Join(t.TempDir(), "answers.yaml")
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAnswers(name, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	name := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(name, []byte(`{"answers": [{"number": 2, "how": "so", "change": ["dir/a.go:1-2"], "waits": []}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	all, err := ReadAnswers(name, 2)
	if err != nil || !reflect.DeepEqual(all, Answers{2: {Change: []Place{{"a.go", 1, 2}}}}) {
		t.Error(all, err)
	}
}

// Catches: a comment or a function that stays, a directive that does not, and a line that moves.
func TestStrip(t *testing.T) {
	const text = "//go:build go1.25\n\n// Package p.\npackage p // so\n\n/* a\nb */\nfunc TestA() {}\n\nfunc TestAFixed() {\n\tfix() // it\n}\n\nvar s = \"// no\"\n"
	got, err := strip([]byte(text), map[string]bool{"TestAFixed": true})
	want := "//go:build go1.25\n\n\npackage p\n\n\n\nfunc TestA() {}\n\n\n\n\n\nvar s = \"// no\"\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%q\nwant\n%q", err, got, want)
	}
}

// Catches: lines of a failure that are cut off, or others that are taken for them.
func TestLinesOf(t *testing.T) {
	const printed = `seed 0x1: 1 package
FAIL example.com/p TestA  deadlock in execution 0, 1 execution, 4ms
      | deadlock in execution 0 (portfolio): no task can continue: main waits
      |     (a_test.go:4)
      |
      | step | main (TestA)
      |    1 | begin
      |
      | [1] mu (a_test.go:2)
      |
      | locks         main waits for [1]: main has
      |               [1] since a_test.go:3
      |
      | task main waits for a lock
      |     p.TestA (a_test.go:4)
      |
      | recorded with 0 decisions
      recorded in 1.rouse
      reproduce: stress test ./p --replay 1.rouse
FAIL: 1 test, 1 failed
`
	const want = `FAIL example.com/p TestA  deadlock in execution 0, 1 execution, 4ms
      | deadlock in execution 0 (portfolio): no task can continue: main waits
      |     (a_test.go:4)
      | locks         main waits for [1]: main has
      |               [1] since a_test.go:3
      reproduce: stress test ./p --replay 1.rouse
`
	if got := linesOf(printed); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Catches: a table of results that was not written again after answers have changed.
func TestResultsAreCurrent(t *testing.T) {
	names, err := filepath.Glob("newcomers/answers*")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/newcomers.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		if !strings.Contains(string(page), "Nobody has answered yet.") {
			t.Error("docs/newcomers.md has results, and newcomers has no answers")
		}
		return
	}
	all := readFailures(t)
	var readers []Answers
	for _, name := range names {
		a, err := ReadAnswers(name, len(all))
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, a)
	}
	filled, err := Compare(all, readers).Fill(string(page))
	if err != nil || filled != string(page) {
		t.Errorf("docs/newcomers.md is not current: corpus newcomers --check %s --record, %v", strings.Join(names, " --check "), err)
	}
}

// notNamed are the failures of whose order the explanation names another pair than was expected.
var notNamed = map[string]string{
	"goroot/etcd6857": "the two selects instead of a select and the send",
}

// Catches: an explanation that names another pair of operations than the one that was written down before, of the
// failures whose sources are here; and one that names none.
func TestOrderIsNamed(t *testing.T) {
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	w := &Workshop{Source: filepath.Dir(root), Root: root, Dir: t.TempDir()}
	tool, err := goroot.Build(t.Context(), w.Source, w.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range readFailures(t) {
		if f.Bug.Released() {
			continue
		}
		out := t.TempDir()
		explained, err := w.Handout(t.Context(), tool, f, out)
		if err != nil {
			t.Fatal(err)
		}
		if _, known := notNamed[f.Bug.ID()]; f.Decides(explained) == known || Named(explained) == "" {
			t.Errorf("%s: named %q, want one of %v", f.Bug.ID(), Named(explained), f.Order)
		}
		lines, err := os.ReadFile(filepath.Join(out, "lines.txt"))
		if err != nil || !strings.Contains(string(lines), "reproduce: ") || !strings.Contains(string(lines), "fails  ") {
			t.Errorf("%s: lines.txt is %q, error %v", f.Bug.ID(), lines, err)
		}
		if page, err := os.ReadFile(filepath.Join(out, "page.html")); err != nil || len(page) < 10_000 {
			t.Errorf("%s: page.html has %d bytes, error %v", f.Bug.ID(), len(page), err)
		}
	}
}

// Catches: an order that is taken for the expected one though it is another, and a race that is not.
func TestDecides(t *testing.T) {
	pair := Pair{{"a.go", 1, 2}, {"b.go", 5, 5}}
	f, race := &Failure{Order: []Pair{pair}}, &Failure{Order: []Pair{pair}, Race: true}
	for text, want := range map[string][2]bool{
		"x\nfails         if m's load at a.go:2 comes before\n              n's store at b.go:5\npasses        if ...": {true, false},
		"fails         if n's store at b.go:5 comes before m's load at a.go:2":                                         {false, false},
		"fails         if m's load at a.go:3 comes before n's store at b.go:5":                                         {false, false},
		"recorded as data-race: data race: read in p.f (b.go:5), write in p.g (a.go:1)\n":                              {false, true},
		"fails         if a timer fires": {false, false},
		"":                               {false, false},
	} {
		if got := [2]bool{f.Decides(text), race.Decides(text)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
