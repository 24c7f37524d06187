package unmodified

import (
	"regexp"
	"strings"
	"testing"
)

// Catches: a suite without a fixed version, and two that would be copied to the same folder.
func TestSuites(t *testing.T) {
	version := regexp.MustCompile(`^v\d+\.\d+\.\d+`)
	seen := map[string]bool{}
	for _, s := range Suites {
		if seen[s.Name] || !version.MatchString(s.Version) || len(s.Packages) == 0 {
			t.Errorf("%+v", s)
		}
		if (s.Skip == "") != (s.Why == "") {
			t.Errorf("%s leaves out %q because %q", s.Name, s.Skip, s.Why)
		}
		if l := s.Long; (l.Tests == "") != (l.Executions == 0) || (l.Tests == "") != (l.Why == "") {
			t.Errorf("%s: %+v", s.Name, l)
		}
		seen[s.Name] = true
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	Table(&b, []*Row{
		{Suite: Suite{Name: "queue", Version: "v1.1.0"}, Tests: 4, Executions: 400, Steps: 9000, Seconds: 2},
		{Suite: Suite{Name: "pond", Version: "v2.7.1", Skip: "^TestDNS$", Why: "uses the network"}, Tests: 2, Executions: 7, Seconds: 1,
			Failed: []string{"pond TestStop: deadlock in execution 6"}, Uncontrolled: []string{"pond TestFile"}},
	})
	if got := either("", "a") + either("b", "") + either("a", "b"); got != "aba|b" {
		t.Errorf("patterns %s", got)
	}
	for _, want := range []string{"queue   v1.1.0", " 200 ", "pond, failed:\n\tpond TestStop", "pond, uncontrolled:\n\tpond TestFile", "pond, left out: ^TestDNS$: uses the network"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}
