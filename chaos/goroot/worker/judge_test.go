package worker

import (
	"strings"
	"testing"
)

func TestOneLine(t *testing.T) {
	long := strings.Repeat("ü", 150)
	for message, want := range map[string]string{
		"":                            "",
		"x_test.go:7: lost: 1\n":      "x_test.go:7: lost: 1",
		"x_test.go:7: ":               "x_test.go:7:",
		"x_test.go:7: lost \n":        "x_test.go:7: lost",
		"x_test.go:7: lost:\n    - 1": "x_test.go:7: lost:",
		"x_test.go:7: \n        \tError Trace:\t/src/x_test.go:7\n\t\t/src/y_test.go:8\n\tError:\tNot equal\n": "x_test.go:7: Error: Not equal",
		"x_test.go:7: \n\tError:\tclosed\n\tq.Get\n\t\t/src/q.go:8\n":                                          "x_test.go:7: Error: closed q.Get q.go:8",
		long: strings.Repeat("ü", 100) + "...",
	} {
		if got := oneLine(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
