package mutants

import (
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// here is the checkout that this test is part of.
const here = "../.."

func all(t *testing.T) []Mutant {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Catches: a change of sleep or pool that a mutant has not followed, and an edit that
// is no Go.
func TestAllCanBePlantedHere(t *testing.T) {
	names := []string{}
	for _, m := range all(t) {
		names = append(names, m.Name)
		changed, err := m.Apply(os.DirFS(here))
		if err != nil {
			t.Error(err)
		}
		for file, text := range changed {
			if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
		}
	}
	if !slices.IsSorted(names) || !slices.Contains(names, Control) || len(names) < 2 {
		t.Errorf("the mutants are %q", names)
	}
}

// The source of two files.
var twoFiles = fstest.MapFS{
	"sleep/jec.go": {Data: []byte("one\ntwo\nthree\ntwo\nfour\n")},
	"pool/pool.go": {Data: []byte("one\r\ntwo\r\n")},
}

func TestApply(t *testing.T) {
	m := Mutant{Name: "m", Edits: []Edit{
		{File: "sleep/jec.go", From: "one\n", To: "1\n"},
		{File: "sleep/jec.go", From: "three\ntwo\n", To: "3\n2\n"},
		{File: "pool/pool.go", From: "two\n", To: ""},
	}}
	got, err := m.Apply(twoFiles)
	if err != nil || len(got) != 2 || got["sleep/jec.go"] != "1\ntwo\n3\n2\nfour\n" || got["pool/pool.go"] != "one\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestApplyWantsTheTextOnce(t *testing.T) {
	for _, c := range []struct{ file, from, want string }{
		{"sleep/jec.go", "two\n", "m.mutant:7:1: mutant m: the text to be replaced occurs 2 times in sleep/jec.go, want once: two"},
		{"sleep/jec.go", "\tfive\nsix\n", "m.mutant:7:1: mutant m: the text to be replaced occurs 0 times in sleep/jec.go, want once: five"},
		{"sleep/jec.go", "wo\nthree\n", "m.mutant:7:1: mutant m: the text to be replaced occurs 0 times in sleep/jec.go, want once: wo"},
		{"sleep/none.go", "two\n", "m.mutant:7:1: cannot read what mutant m changes: open sleep/none.go: file does not exist"},
	} {
		m := Mutant{Name: "m", file: "m.mutant", Edits: []Edit{{File: c.file, From: c.from, To: "x\n", line: 7}}}
		if got, err := m.Apply(twoFiles); err == nil || err.Error() != c.want || got != nil {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

func TestChoose(t *testing.T) {
	all := all(t)
	if got, err := Choose(all, nil); err != nil || len(got) != len(all) {
		t.Errorf("%d of %d mutants, %v", len(got), len(all), err)
	}
	got, err := Choose(all, []string{"no-final-check", "jec-not-moved"})
	if err != nil || len(got) != 2 || got[0].Name != "no-final-check" || got[1].Name != "jec-not-moved" {
		t.Errorf("%v, %v", got, err)
	}
	for want, names := range map[string][]string{
		`unknown mutant "no-final-chek"; did you mean "no-final-check"?`: {"no-final-chek"},
		"mutant no-final-check is named twice":                           {"no-final-check", "no-final-check"},
	} {
		if _, err := Choose(all, names); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestOpenCheckout(t *testing.T) {
	if _, err := OpenCheckout(here); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	for _, text := range []string{"", "module example.org/rouse\n"} {
		if text != "" {
			if err := os.WriteFile(dir+"/go.mod", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := OpenCheckout(dir); err == nil || !strings.HasSuffix(err.Error(), "want the root of a checkout of "+module) {
			t.Errorf("go.mod %q: %v", text, err)
		}
	}
	t.Setenv("PATH", dir)
	if _, err := OpenCheckout(here); err != ErrNoGo {
		t.Errorf("without go: %v", err)
	}
}
