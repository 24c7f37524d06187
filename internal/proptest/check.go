package proptest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
)

// Parameters returns gopter's parameters with the seed of this run, which it
// logs.
func Parameters(t testing.TB) *gopter.TestParameters {
	t.Helper()
	return gopter.DefaultTestParametersWithSeed(int64(Seed(t)))
}

// Check runs a property on the given number of cases of at most the given size. If
// it fails, the test fails with the smallest counterexample that shrinking found.
func Check(t testing.TB, cases, size int, property gopter.Prop) {
	t.Helper()
	p := Parameters(t)
	p.MinSuccessfulTests, p.MaxSize = cases, size
	if message := verdict(property.Check(p)); message != "" {
		t.Error(message)
	}
}

// verdict describes what went wrong, or returns "".
func verdict(r *gopter.TestResult) string {
	if r.Passed() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "the property is %s after %d cases that passed (%d discarded)", r.Status, r.Succeeded, r.Discarded)
	for _, l := range r.Labels {
		fmt.Fprintf(&b, "\n%s", l)
	}
	for _, a := range r.Args {
		fmt.Fprintf(&b, "\ncounterexample (after %d steps of shrinking): %s", a.Shrinks, a.ArgFormatted)
		if a.Shrinks > 0 {
			fmt.Fprintf(&b, "\nas it was found: %s", a.OrigArgFormatted)
		}
	}
	if r.Error != nil {
		fmt.Fprintf(&b, "\n%v\n%s", r.Error, r.ErrorStack)
	}
	return b.String()
}
