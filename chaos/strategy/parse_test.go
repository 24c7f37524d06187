package strategy

import (
	"errors"
	"testing"
)

// Catches: a name that Parse takes but does not give back, and an error that is not ErrUnknown.
func FuzzParse(f *testing.F) {
	for _, name := range append(Names(), "pct(3)", "pct(0)", "pct(-1)", "pct(03)", "pct(3", "pct()", "pct(3)(3)", "dfs(0)", "dfs(9223372036854775807)", "random(1)", "PCT(3)", " pos", "", "pct(\x00)") {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		s, err := Parse(name)
		if err != nil {
			if s != nil || !errors.Is(err, ErrUnknown) {
				t.Fatalf("%q: %v, %v", name, s, err)
			}
			return
		}
		again, err := Parse(s.Name())
		if err != nil || again.Name() != s.Name() {
			t.Fatalf("%q is %q, and that: %v", name, s.Name(), err)
		}
		if name != s.Name() {
			t.Fatalf("%q is called %q", name, s.Name())
		}
	})
}
