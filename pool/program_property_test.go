package pool_test

import (
	"testing"

	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"go.uber.org/goleak"
)

// narrow makes everything that can roll over or grow do so all the time.
var narrow = []pool.Option{
	pool.WithSleep(
		sleep.WithWidths(sleep.Widths{Sleeping: 2, Inactive: 2, JEC: 1}),
		sleep.WithRoundsUntilSleepy(1)),
	pool.WithDequeCapacity(1),
}

// narrowWithSpares is narrow, except that as many threads can be counted as these
// programs need: within isolated waits pools that run into each other need spares.
var narrowWithSpares = append(narrow[:len(narrow):len(narrow)], pool.WithSleep(
	sleep.WithWidths(sleep.Widths{Sleeping: 7, Inactive: 7, JEC: 1})))

// Catches: whatever makes a fork-join program mean something else than it says: a
// job lost or run twice, a wait that ends early or (this hangs) never, a panic
// that goes astray, a goroutine left behind. With every sleep strategy that is to lose nothing.
func TestProgramsMeanWhatTheySay(t *testing.T) {
	var variants []sleep.Variant
	for _, v := range sleep.Variants() {
		if !v.Lossy {
			variants = append(variants, v)
		}
	}
	proptest.Check(t, 800, 80, prop.ForAll(func(root *node, a, b int, production bool, variant int) string {
		before := goleak.IgnoreCurrent()
		options := []pool.Option{pool.WithSleep(variants[variant].Options...)}
		if !production {
			options = append(options, narrowWithSpares...)
		}
		if wrong := execute(root, root, [2]int{a, b}, options...); wrong != "" {
			return wrong
		}
		if err := goleak.Find(before); err != nil {
			return err.Error()
		}
		return ""
	}, genProgram(), gen.IntRange(1, 3), gen.IntRange(1, 3), gen.Bool(), gen.IntRange(0, len(variants)-1)))
}

// lie returns the program with another first number.
func (n *node) lie() *node {
	copied := *n
	if n.kind == compute {
		copied.value++
		return &copied
	}
	copied.children = append([]*node{n.children[0].lie()}, n.children[1:]...)
	return &copied
}

// The positive control. Catches: an execution that is compared with nothing, and
// a generator that leaves out a kind of node.
func TestProgramsAreCompared(t *testing.T) {
	var seen [kinds]int
	var count func(n *node)
	count = func(n *node) {
		seen[n.kind]++
		for _, c := range n.children {
			count(c)
		}
	}
	proptest.Check(t, 60, 80, prop.ForAll(func(root *node) bool {
		count(root)
		return execute(root, root.lie(), [2]int{2, 1}) != ""
	}, genProgram()))
	for k, n := range seen {
		if n == 0 {
			t.Errorf("no program holds %v", kind(k))
		}
	}
}
