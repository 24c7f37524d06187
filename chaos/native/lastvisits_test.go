//go:build chaos

package native

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/hooks"
)

// What the ring has forgotten: the last firing of each fault, also if another of
// the same kind at the same point has fired since, and the last visit of each point.
func TestThePast(t *testing.T) {
	e := arm(t, 1,
		chaos.Fault{At: "native/value", Kind: hooks.Rolls, By: 1},
		chaos.Fault{At: "native/value", Kind: hooks.Rolls, By: 10, Count: 1})
	forget := func() {
		for range 2 * ringSize {
			hooks.At(atPoint)
		}
	}
	hooks.Value(valuePoint, 0)
	hooks.Notify(notifyPoint)
	forget()
	hooks.Value(valuePoint, 0)
	forget()
	var got []string
	for _, v := range taskOf(t, e, "main").Older {
		got = append(got, fmt.Sprintf("%s #%d %s %s", v.Point, v.Visit, v.Fault, v.Detail))
	}
	want := []string{
		"native/value #1 roll 0 -> 1",
		"native/value #0 roll 0 -> 11",
		"native/notify #0  ",
		"native/value #1  ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it remembers %q, want %q", got, want)
	}
}
