package mutation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lines of a report.
const (
	beginning = `{"schema":1,"kind":"mutation","seed":"0x1","packages":1,"mutants":2,"found":2,"ways":["plain","stress"],"budget_seconds":10,"go":"go1"}` + "\n"
	ofPackage = `{"schema":1,"kind":"package","package":"p","notes":["T does not pass"]}` + "\n"
	first     = `{"schema":1,"kind":"mutant","package":"p","id":"f.go/F/x/1","operator":"x","file":"f.go","line":7,"column":2,"function":"F","what":"w","status":"killed",` +
		`"trials":[{"way":"plain","outcome":"survived","tests":1,"seconds":1},{"way":"stress","outcome":"killed","by":"T","what":"deadlock","tests":1,"seconds":2}],"tests":["T"],"diff":"d"}` + "\n"
	second = `{"schema":1,"kind":"mutant","package":"p","id":"f.go/F/y/1","operator":"y","file":"f.go","line":3,"column":2,"function":"F","what":"w","status":"uncovered","diff":"d"}` + "\n"
	end    = `{"schema":1,"kind":"end","passed":true}` + "\n"
)

func report(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func merge(t *testing.T, d *Data, text string, as map[string]string) {
	t.Helper()
	if err := d.Merge(report(t, text), as); err != nil {
		t.Fatal(err)
	}
}

// Catches: mutants in another order, trials that get lost, notes that get lost, and columns that take the
// place of others.
func TestMerge(t *testing.T) {
	var d Data
	merge(t, &d, beginning+ofPackage+first+second+end, nil)
	if len(d.Columns) != 2 || d.Columns[1].Name != "stress" || !slices.Equal(d.Columns[0].Notes, []string{"T does not pass"}) {
		t.Errorf("columns %+v", d.Columns)
	}
	if len(d.Mutants) != 2 || d.Mutants[0].Line != 3 || d.Mutants[0].Status != Uncovered || d.Mutants[1].Status != Killed ||
		*d.Mutants[1].by("stress") != (Trial{"stress", TrialKilled, "T", "deadlock", 2}) {
		t.Errorf("mutants %+v", d.Mutants)
	}
	command := `{"schema":1,"kind":"mutation","ways":["command"],"budget_seconds":300}` + "\n" +
		strings.NewReplacer(`"uncovered"`, `"survived","trials":[{"way":"command","outcome":"survived"}]`).Replace(second)
	merge(t, &d, command, map[string]string{"command": "long"})
	merge(t, &d, command, map[string]string{"command": "longer"})
	merge(t, &d, strings.ReplaceAll(command, `"survived"`, `"killed"`), map[string]string{"command": "long"}) // replaces the first
	m := d.Mutants[0]
	if len(d.Columns) != 4 || d.Columns[2].Name != "long" || len(m.Trials) != 2 || m.Trials[0].Column != "long" || m.Status != Killed {
		t.Errorf("columns %+v, mutant %+v", d.Columns, m)
	}
	merge(t, &d, command, map[string]string{"command": "long"}) // and back
	if m := d.Mutants[0]; m.Status != Survived || len(m.Trials) != 2 {
		t.Errorf("mutant %+v", m)
	}
	file := filepath.Join(t.TempDir(), "d.jsonl")
	if err := d.Write(file); err != nil {
		t.Fatal(err)
	}
	read, err := ReadData(file)
	if err != nil || len(read.Columns) != 4 || !slices.EqualFunc(read.Mutants, d.Mutants, sameMutant) {
		t.Errorf("read %+v, error %v", read, err)
	}
}

// Catches: a mutant with the same instructions that counts as killed since a test is flaky.
func TestDroppedStays(t *testing.T) {
	for _, c := range []struct {
		reported []Status
		want     Status
	}{
		{[]Status{Equivalent, Killed}, Equivalent},
		{[]Status{Killed, Equivalent}, Equivalent},
		{[]Status{Equivalent, Survived}, Survived}, // another source
		{[]Status{Invalid, Errored}, Invalid},
		{[]Status{Survived, Errored}, Survived},
		{[]Status{Errored}, Errored},
	} {
		m := Mutant{}
		for _, s := range c.reported {
			switch s {
			case Killed:
				m.Trials = []Trial{{Column: "c", Outcome: TrialKilled}}
			case Survived:
				m.Trials = []Trial{{Column: "c", Outcome: TrialSurvived}}
			}
			m.decide(s)
		}
		if m.Status != c.want {
			t.Errorf("%v: %s, want %s", c.reported, m.Status, c.want)
		}
	}
}

// Catches: reports of other versions, or of something else, that are taken.
func TestMergeRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		as   map[string]string
		want string
	}{
		"nothing":      {"", nil, "found no line of the kind mutation"},
		"not JSON":     {"{", nil, ":1: "},
		"schema":       {strings.ReplaceAll(beginning, `"schema":1`, `"schema":2`), nil, "found schema 2, want 1"},
		"no beginning": {first, nil, `found a trial of the way "plain"`},
		"outcome":      {beginning + strings.ReplaceAll(first, `"outcome":"killed"`, `"outcome":"dead"`), nil, `found the outcome "dead"`},
		"status":       {beginning + strings.ReplaceAll(first, `"status":"killed"`, `"status":"dead"`), nil, `found the status "dead"`},
		"other fields": {beginning + strings.ReplaceAll(first, `"file"`, `"path"`), nil, "found a mutant without"},
		"broken":       {beginning + strings.ReplaceAll(ofPackage, `"notes"`, `"problem":"it does not compile","notes"`), nil, "p could not be tested: it does not compile"},
		"as":           {beginning, map[string]string{"race": "r"}, `and not "race"`},
	} {
		var d Data
		if err := d.Merge(report(t, c.text), c.as); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}

// Catches: data of a later version, or edited by hand, that are taken.
func TestReadDataRefuses(t *testing.T) {
	const columns = `{"columns":[{"name":"c","way":"plain","budget_seconds":1,"seed":"","go":""}]}` + "\n"
	const mutant = `{"package":"p","id":"i","operator":"o","file":"f","line":1,"column":1,"function":"f","what":"w","status":"killed","trials":[{"column":"c","outcome":"killed","seconds":1}]}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"no columns": {"{}\n", "d.jsonl:1: found no columns"},
		"twice":      {columns + mutant + mutant, "d.jsonl:3: p i is there twice"},
		"column":     {columns + strings.ReplaceAll(mutant, `"c"`, `"d"`), `the column "d", which there is not`},
		"outcome":    {columns + strings.ReplaceAll(mutant, `"outcome":"killed"`, `"outcome":"x"`), `the outcome "x"`},
		"status":     {columns + strings.ReplaceAll(mutant, `"status":"killed"`, `"status":"x"`), `the status "x"`},
		"field":      {columns + strings.ReplaceAll(mutant, `"what"`, `"waht"`), "waht"},
	} {
		file := filepath.Join(t.TempDir(), "d.jsonl")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadData(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", name, err, c.want)
		}
	}
}
