package chaos

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// Catches: a pattern of -run whose parts are not all of it, and a name that a pattern without metacharacters selects
// wrongly.
func FuzzSelects(f *testing.F) {
	for _, pattern := range []string{"TestA", "TestA/b|TestB", "^(TestA|TestB)$/x", "[/|]", "(/|)", "\\", "\\|", "[", ")|(", "a]b/c", "/", "", "Test A"} {
		f.Add(pattern, "TestA/b")
	}
	f.Fuzz(func(t *testing.T, pattern, test string) {
		for _, separator := range []byte("|/") {
			if parts := splitOutside(pattern, separator); strings.Join(parts, string(separator)) != pattern {
				t.Fatalf("%q is split into %q", pattern, parts)
			}
		}
		if regexp.QuoteMeta(pattern) != pattern || strings.ContainsAny(pattern, "/ ") || !utf8.ValidString(pattern) {
			selects(pattern, test, true)
			return
		}
		name, _, _ := strings.Cut(test, "/")
		if got := selects(pattern, test, false); got != strings.Contains(name, pattern) {
			t.Fatalf("%q selects %q: %t", pattern, test, got)
		}
		if !selects("^"+pattern+"$", pattern, true) || selects("^"+pattern+"$/x", pattern, true) {
			t.Fatalf("%q does not select itself, or its subtests do", pattern)
		}
	})
}
