//go:build chaos

package pool_test

import (
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/internal/forkjoin"
	"github.com/rouse-go/rouse/internal/proptest"
	"github.com/rouse-go/rouse/internal/seam"
	"github.com/rouse-go/rouse/pool"
)

// unvisited lists the points of pool and sleep that the engine has not seen.
func unvisited(e *native.Engine) (names []string) {
	hits := map[string]uint64{}
	for _, p := range e.Counts().Points {
		hits[p.Point] = p.Hits
	}
	for _, p := range seam.Points() {
		room, _, _ := strings.Cut(p.Name, "/")
		if (room == "pool" || room == "sleep") && hits[p.Name] == 0 {
			names = append(names, p.Name)
		}
	}
	return names
}

// Catches: a hook point that no way through the pool passes, so that plans for it
// never fire.
func TestEveryPointIsReached(t *testing.T) {
	e, err := native.Arm(chaos.Plan{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Disarm()
	r := rand.New(rand.NewPCG(proptest.Seed(t), 0))
	grows := func(w *pool.Worker) error {
		for range 200 {
			w.Go(func(*pool.Worker) {})
		}
		w.Blocking(func() {})
		w.Isolated(func(w *pool.Worker) { // waits until the thief has seen it asleep
			stolen := newGate()
			w.Join(
				func(*pool.Worker) { stolen.wait() },
				func(*pool.Worker) {
					stolen.open()
					for !w.Pool().State().Workers[w.Index()].Asleep {
						runtime.Gosched()
					}
				})
		})
		return nil
	}
	keeps := append(narrowWithSpares[:len(narrowWithSpares):len(narrowWithSpares)], pool.KeepsPrivate(32, 1))
	tickles := pool.WithSleep(atOnce("tickle", 32)...)
	for range 300 { // some windows are narrow
		p := openPool(t, 3)
		if err := p.Run(background, grows); err != nil {
			t.Error(err)
		}
		asleep(p)
		if err := p.Close(background); err != nil {
			t.Error(err)
		}
		root := forkjoin.Grow(r, 60)
		if wrong := execute(root, root, [2]int{3, 2}, narrowWithSpares...); wrong != "" {
			t.Fatal(wrong)
		}
		if wrong := execute(root, root, [2]int{3, 2}, keeps...); wrong != "" {
			t.Fatal(wrong)
		}
		if wrong := execute(root, root, [2]int{3, 2}, tickles); wrong != "" {
			t.Fatal(wrong)
		}
		if len(unvisited(e)) == 0 {
			return
		}
	}
	t.Errorf("never visited: %s", strings.Join(unvisited(e), ", "))
}

// Catches: a point whose text does not show the reader of a report which step of
// the protocol, or which operation, it belongs to.
func TestPointsNameTheirStep(t *testing.T) {
	step := regexp.MustCompile(`^([A-R][0-9]?'?|push|pop|steal|blocking): [^ ].{10,}$`)
	outsideOfTheProtocol := map[string]bool{
		"pool/queue-reserve-to-write": true,
		"pool/job-run":                true,
		"pool/job-done":               true,
	}
	n := 0
	for _, p := range seam.Points() {
		if !strings.HasPrefix(p.Name, "pool/") {
			continue
		}
		n++
		if step.MatchString(p.Window) == outsideOfTheProtocol[p.Name] || len(p.Window) < 15 {
			t.Errorf("%s: %q does not begin with its step", p.Name, p.Window)
		}
	}
	if n == 0 {
		t.Error("no points")
	}
}
