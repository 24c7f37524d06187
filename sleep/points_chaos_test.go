//go:build chaos

package sleep

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/internal/seam"
)

// visits is an engine that counts visits and does nothing.
type visits struct{ byIndex []atomic.Int64 }

func (v *visits) At(p *seam.Point)                         { v.byIndex[p.Index].Add(1) }
func (v *visits) Notify(p *seam.Point) int                 { v.At(p); return 1 }
func (v *visits) Fail(p *seam.Point) bool                  { v.At(p); return false }
func (v *visits) Value(p *seam.Point, value uint64) uint64 { v.At(p); return value }
func (v *visits) Task(f func()) func()                     { return f }
func (v *visits) Name(string)                              {}
func (v *visits) Unwinding(any) bool                       { return false }

// missing lists the points of this package that no execution has visited.
func (v *visits) missing() (names []string) {
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "sleep/") && v.byIndex[p.Index].Load() == 0 {
			names = append(names, p.Name)
		}
	}
	return names
}

// Catches: a hook point that no code passes, so that plans for it never fire.
func TestEveryPointIsReached(t *testing.T) {
	v := &visits{byIndex: make([]atomic.Int64, len(seam.Points()))}
	uninstall, ok := seam.Install(v)
	if !ok {
		t.Fatal("another engine is installed")
	}
	defer uninstall()

	r := rand.New(rand.NewPCG(proptest.Seed(t), 0))
	var lock LockLatch
	lock.Set()
	var count CountLatch
	count.Init(nil, 0)
	count.Set()
	standing(t, 1, 1, 0).WorkFound(new(IdleState))

	privately(t, &variants[0])

	for range 500 { // the final check finds a job only now and then
		p := newToy(t, 3, 10, WithRoundsUntilSleepy(0), WithWidths(narrow))
		p.start()
		trickle(p, 0, 10, r)
		p.settle(t)
		p.stop()
		p = newToy(t, 3, 10, atOnce("tickle", 32)...)
		p.start()
		trickle(p, 0, 10, r)
		p.settle(t)
		p.stop()
		if len(v.missing()) == 0 {
			return
		}
	}
	t.Errorf("never visited: %s", strings.Join(v.missing(), ", "))
}

// Catches: a point whose text does not show the reader of a report which step of
// the protocol it belongs to.
func TestPointsNameTheirStep(t *testing.T) {
	step := regexp.MustCompile(`^([A-LQU][0-9]?(, [A-L][0-9]?)*|LockLatch): [^ ].{10,}$`)
	n := 0
	for _, p := range seam.Points() {
		if !strings.HasPrefix(p.Name, "sleep/") {
			continue
		}
		n++
		if !step.MatchString(p.Window) {
			t.Errorf("%s: %q does not begin with its step", p.Name, p.Window)
		}
	}
	if n == 0 {
		t.Error("no points")
	}
}
