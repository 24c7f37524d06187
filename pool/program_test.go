package pool_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/pool"
	"github.com/rouse-go/rouse/sleep"
	"go.uber.org/goleak"
)

// genProgram generates trees that grow with gopter's size, and shrinks them.
func genProgram() gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		r := rand.New(rand.NewPCG(p.NextUint64(), 0))
		return gopter.NewGenResult(forkjoin.Grow(r, 1+r.IntN(p.MaxSize+1)), func(v any) gopter.Shrink {
			list := v.(*forkjoin.Node).Smaller()
			return func() (any, bool) {
				if len(list) == 0 {
					return nil, false
				}
				next := list[0]
				list = list[1:]
				return next, true
			}
		})
	}
}

// execute runs the program in new pools of that many workers, and returns what was wrong with
// it; "" if all was right, and it came to what is meant.
func execute(root, meant *forkjoin.Node, workers [2]int, options ...pool.Option) string {
	var pools [2]*pool.Pool
	for i := range pools {
		p, err := pool.New(workers[i], options...)
		if err != nil {
			return err.Error()
		}
		pools[i] = p
	}
	e := forkjoin.New(root, meant, pools)
	e.Run()
	for _, p := range pools {
		if err := p.Close(background); err != nil {
			return err.Error()
		}
	}
	return e.Wrong()
}

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

// lossless are the sleep strategies that are to lose nothing.
func lossless() (variants []sleep.Variant) {
	for _, v := range sleep.Variants() {
		if !v.Lossy {
			variants = append(variants, v)
		}
	}
	return variants
}

// Catches: whatever makes a fork-join program mean something else than it says: a
// job lost or run twice, a wait that ends early or (this hangs) never, a panic
// that goes astray, a goroutine left behind. With every sleep strategy that is to lose nothing.
func TestProgramsMeanWhatTheySay(t *testing.T) {
	variants := lossless()
	proptest.Check(t, 800, 80, prop.ForAll(func(root *forkjoin.Node, a, b int, production bool, variant, keeps int) string {
		before := goleak.IgnoreCurrent()
		options := []pool.Option{pool.WithSleep(variants[variant].Options...), pool.KeepsPrivate(keeps, 1)}
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
	}, genProgram(), gen.IntRange(1, 3), gen.IntRange(1, 3), gen.Bool(), gen.IntRange(0, len(variants)-1), gen.OneConstOf(0, 1, 2, 32)))
}

// The older document's property, with every strategy that is to lose nothing. Catches: a
// search that overlooks what was there before it began.
func TestSearchesFindWhatWasThere(t *testing.T) {
	variants := lossless()
	failed, looked := 0, 0
	proptest.Check(t, 300, 80, prop.ForAll(func(root *forkjoin.Node, a, b, variant int) string {
		s := new(pool.Searches)
		options := append([]pool.Option{pool.WithSleep(variants[variant].Options...), s.Watch()}, narrowWithSpares...)
		if wrong := execute(root, root, [2]int{a, b}, options...); wrong != "" {
			return wrong
		}
		failed, looked = failed+s.Failed, looked+s.Looked
		return strings.Join(s.Overlooked, "\n")
	}, genProgram(), gen.IntRange(1, 3), gen.IntRange(1, 3), gen.IntRange(0, len(variants)-1)))
	if t.Logf("%d failed searches, and %d jobs that were there before, and others took", failed, looked); failed == 0 {
		t.Error("no search failed")
	}
}

// The positive control. Catches: an execution that is compared with nothing, and
// a generator that leaves out a kind of node.
func TestProgramsAreCompared(t *testing.T) {
	var seen [forkjoin.Kinds]int
	var count func(n *forkjoin.Node)
	count = func(n *forkjoin.Node) {
		seen[n.Kind]++
		for _, c := range n.Children {
			count(c)
		}
	}
	proptest.Check(t, 60, 80, prop.ForAll(func(root *forkjoin.Node) bool {
		count(root)
		return execute(root, root.Lie(), [2]int{2, 1}) != ""
	}, genProgram()))
	for k, n := range seen {
		if n == 0 {
			t.Errorf("no program holds %v", forkjoin.Kind(k))
		}
	}
}
