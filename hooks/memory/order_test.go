package memory_test

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/memory"
)

// kinds are what a name of a function begins with, the orders that are wrong
// there, and what is said of them. What is not here takes any order.
var kinds = []struct {
	prefix string
	wrong  []memory.Order
	why    string
}{
	{"Load", []memory.Order{memory.Release, memory.AcqRel}, "a load has nothing to release; right would be Relaxed, Acquire or SeqCst"},
	{"Store", []memory.Order{memory.Acquire, memory.AcqRel}, "a store has nothing to acquire; right would be Relaxed, Release or SeqCst"},
	{"Fence", []memory.Order{memory.Relaxed}, "it would order nothing; right would be Acquire, Release, AcqRel or SeqCst"},
}

// What an order that makes no sense leads to: in the chaos build, to a panic that
// says why and what would be right; in the normal build, to nothing.
func TestWrongOrders(t *testing.T) {
	for name, call := range calls() {
		function, failure := strings.CutSuffix(name, ", failure")
		for o := memory.Relaxed; o <= memory.SeqCst+1; o++ {
			want := ""
			for _, kind := range kinds {
				for _, wrong := range kind.wrong {
					if o == wrong && strings.HasPrefix(name, kind.prefix) {
						want = kind.why
					}
				}
			}
			if failure && (o == memory.Release || o == memory.AcqRel) {
				want = "if it does not swap it is a load, which has nothing to release; right would be Relaxed, Acquire or SeqCst"
			}
			if o > memory.SeqCst {
				want = "there is no such order; right would be "
			}
			if want != "" {
				want = "memory: " + function + " with " + o.String() + ": " + want
			}
			if !hooks.Enabled {
				want = ""
			}
			got := outcome(func() { call(o) })
			if o > memory.SeqCst && want != "" && strings.HasSuffix(got, " or SeqCst") {
				got = got[:min(len(got), len(want))]
			}
			if got != want {
				t.Errorf("%s, %v: panics with %q, want %q", name, o, got, want)
			}
		}
	}
}

// outcome returns what f panics with, or "".
func outcome(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = v.(string)
		}
	}()
	f()
	return ""
}
