package nearest

import (
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestName(t *testing.T) {
	points := []string{"sleep/registered", "sleep/announced", "pool/inject-pushed", "pool/stolen", "pool/notify"}
	kinds := []string{"delay", "yield", "drop", "duplicate", "fail", "spurious", "roll"}
	for _, c := range []struct {
		got  string
		have []string
		want string
	}{
		{"sleep/registerd", points, "sleep/registered"},
		{"sleep/registered", points, "sleep/registered"},
		{"Sleep/Registered", points, "sleep/registered"},
		{"slepe/announced", points, "sleep/announced"},
		{"pool/inject_pushed", points, "pool/inject-pushed"},
		{"stolen", points, "pool/stolen"}, // the package was left out
		{"queue/full", points, ""},
		{"", points, ""},
		{"anything", nil, ""},
		{"dealy", kinds, "delay"},
		{"drops", kinds, "drop"},
		{"dorp", kinds, "drop"},
		{"x", kinds, ""},
		{"explode", kinds, ""},
		{strings.Repeat("x", 200), []string{strings.Repeat("x", 201)}, strings.Repeat("x", 201)},
		{strings.Repeat("x", 201), []string{strings.Repeat("x", 202)}, ""}, // a whole file of it would take minutes
	} {
		if got := Name(c.got, c.have); got != c.want {
			t.Errorf("Name(%q) = %q, want %q", c.got, got, c.want)
		}
	}
	if got := Name("push", []string{"a/push", "b/push"}); got != "" {
		t.Errorf("an ambiguous tail gave %q", got)
	}
	if got := Name("bat", []string{"cat", "hat"}); got != "cat" {
		t.Errorf("among equals %q won, want the first", got)
	}
}

func TestHint(t *testing.T) {
	many := strings.Split(strings.Repeat("pool ", mostNames), " ")[:mostNames]
	for _, c := range []struct {
		got  string
		have []string
		want string
	}{
		{"dorp", []string{"delay", "drop"}, `did you mean "drop"?`},
		{"explode", []string{"delay", "drop"}, "want one of delay, drop"},
		{"explode", nil, "there are none"},
		{"explode", many, "want one of " + strings.Join(many, ", ")},
		{"explode", append(many, "sleep"), "want one of 31, such as " + strings.Join(many[:10], ", ")},
	} {
		if got := Hint(c.got, c.have); got != c.want {
			t.Errorf("Hint(%q) = %s, want %s", c.got, got, c.want)
		}
	}
}

func TestClip(t *testing.T) {
	long := strings.Repeat("\u00fc", 40)
	for s, want := range map[string]string{"": "", long: long, long + "x": long + "..."} {
		if got := Clip(s); got != want {
			t.Errorf("Clip(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0},
		{"abc", "abd", 1}, {"abc", "acb", 1}, {"abc", "abcd", 1}, {"abc", "bc", 1},
		{"kitten", "sitting", 3}, {"ca", "abc", 3},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// What is far longer than all names is near to none, and is not compared letter by letter.
func TestNameOfALongText(t *testing.T) {
	if got := Name(strings.Repeat("seed", 10<<20), []string{"seed", "verdict"}); got != "" {
		t.Errorf("near to %s", got)
	}
}
