package shorthand

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":             {"\n # a comment\n", ""},
		"keys":                {"a: 1, b: 2", "- {a: 1, b: 2}\n"},
		"semicolons":          {"a: 1, b: 2; a: 3;; {a: 4} # a: 5; a: 6", "- {a: 1, b: 2}\n- {a: 3}\n- {a: 4}\n"},
		"comments":            {"a: 1, b: '#'; # x; y: 1\na: 1#, b: 2;# z, y: 1", "- {a: 1, b: '#'}\n- {a: 1#, b: 2}\n"},
		"lines":               {"a: 1, b: 2\n\na: 3, b: 4 # x\n", "- {a: 1, b: 2}\n- {a: 3, b: 4}\n"},
		"a line goes on":      {"a: 1,\n  b: 2 # x\na: 3", "- {a: 1,\n     b: 2}\n- a: 3\n"},
		"dashes":              {"- a: 1, b: 2\n- {a: 3}", "- {a: 1, b: 2}\n- {a: 3}\n"},
		"blocks":              {"- a: 1\n  b: x, y\n-\n  a: 3", "- a: 1\n  b: x, y\n-\n  a: 3\n"},
		"indented":            {"\t- a: 1, b: 2\n\t- a: 1\n\t  b: 2", "- {a: 1, b: 2}\n- a: 1\n  b: 2\n"},
		"a mapping":           {"s: 1\np:\n  - a: 1\n    b: 2\n", "- s: 1\n- p:\n    - a: 1\n      b: 2\n\n"},
		"a list":              {"[\n  {a: 1},\n  {a: 2}\n]", "- [\n    {a: 1},\n    {a: 2}\n  ]\n"},
		"JSON":                {`[{"a":1,"b":"x;y"}]`, `- [{"a":1,"b":"x;y"}]` + "\n"},
		"quotation marks":     {`a: "; # \" b: 1", b: '; it''s'; a: it's, b: "x"`, `- {a: "; # \" b: 1", b: '; it''s'}` + "\n" + `- {a: it's, b: "x"}` + "\n"},
		"brackets":            {"a: [1; 2], b: 3; a: {b: 1;}, c: 1", "- {a: [1; 2], b: 3}\n- {a: {b: 1;}, c: 1}\n"},
		"brackets in a text":  {"- a: x], y\n  b: 1", "- a: x], y\n  b: 1\n"},
		"an anchor, an alias": {"&x {a: 1}; *x; !!t {a: 1;}", "- &x {a: 1}\n- *x\n- !!t {a: 1;}\n"},
		"a document":          {"---\na: 1, b: 2", "- {a: 1, b: 2}\n"},
		"quoted over lines":   {"a: 'x\n;y', b: 1; a: 2", "- {a: 'x\n   ;y', b: 1}\n- {a: 2}\n"},
	} {
		got, open := Expand(c.text, 100)
		if open != nil || string(got.YAML) != c.want {
			t.Errorf("%s: %q: got %+v\n%s\nwant\n%s", name, c.text, open, got.YAML, c.want)
		}
	}
}

func TestUnclosed(t *testing.T) {
	for text, want := range map[string]Unclosed{
		"a: 1; a: 'x":               {Place{1, 10}, "quotation mark"},
		"a: 1\n- a: \"x\\\"; b":     {Place{2, 6}, "quotation mark"},
		"a: 1, b: [1, {c: 2}; a: 1": {Place{1, 10}, "bracket"},
		"a: 1, b: [1, {c: 2; a: 1":  {Place{1, 14}, "bracket"},
		"a: 1, b: 2}; a: [1]":       {Place{1, 11}, "bracket"},
		"a: 1, b: 2;\na: ], b: 1":   {Place{2, 4}, "bracket"},
	} {
		if _, open := Expand(text, 100); open == nil || *open != want {
			t.Errorf("%q: %+v, want %+v", text, open, want)
		}
	}
}

// TestPlace: every character that is the user's is found where it stands.
func TestPlace(t *testing.T) {
	const text = "\n  a: A, b: B; c: C\n  - d: D, e: [E,\n     F], ü: G\n  - h: H\n    i: I\n  j: J\n"
	got, _ := Expand(text, 100)
	lines := strings.Split(text, "\n")
	seen := ""
	for i, line := range strings.Split(string(got.YAML), "\n") {
		for j, r := range []rune(line) {
			if r < 'A' || r > 'J' {
				continue
			}
			l, c := got.Place(i+1, j+1)
			if at := []rune(lines[l-1]); c > len(at) || at[c-1] != r {
				t.Errorf("%c of line %d, column %d is at %d:%d", r, i+1, j+1, l, c)
			}
			seen += string(r)
		}
	}
	if seen != "ABCDEFGHIJ" {
		t.Errorf("saw %s in\n%s", seen, got.YAML)
	}
	for _, at := range [][4]int{{1, 1, 2, 3}, {1, 3, 2, 3}, {1, 14, 2, 13}, {1, 99, 2, 13}, {99, 1, 8, 1}, {-1, -1, 2, 3}} {
		if l, c := got.Place(at[0], at[1]); l != at[2] || c != at[3] {
			t.Errorf("%d:%d is at %d:%d, want %d:%d", at[0], at[1], l, c, at[2], at[3])
		}
	}
}

// TestTooMany: what is too long is not written in full, and it is said where the rest begins.
func TestTooMany(t *testing.T) {
	for text, want := range map[string]*Place{
		strings.Repeat("a: 1, b: 2\n", 5):            nil,
		strings.Repeat("a: 1, b: 2\n", 1000):         {6, 1},
		strings.Repeat("- a: 1\n  b: 2\n", 1000):     {11, 3},
		strings.Repeat("a: 1; ", 1000):               {1, 31},
		strings.Repeat(";", 1000) + "a: 1, b: 2; \n": nil,
	} {
		got, open := Expand(text, 5)
		if open != nil || strings.Count(string(got.YAML), "a: 1") > 5 || (got.Rest == nil) != (want == nil) || want != nil && *got.Rest != *want {
			t.Errorf("%.20q...: the rest is at %v, want %v\n%s", text, got.Rest, want, got.YAML)
		}
	}
}
