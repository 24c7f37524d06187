package wire

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rouse-go/rouse/chaos/strategy"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An asked is a strategy that writes down what it is asked, and what has happened before.
type asked struct {
	strategy.Strategy
	again  []byte // the question, as a worker writes it
	chosen int
	most   int // the highest number of a task or an object
}

func (a *asked) Happened(e strategy.Event) {
	a.again = AppendEvent(a.again, &e)
	a.see(append([]*strategy.Task{e.Task, e.Child}, e.Wakes...)...)
}

func (a *asked) see(tasks ...*strategy.Task) {
	for _, t := range tasks {
		if t != nil {
			a.most = max(a.most, t.ID, t.Op.Object, slices.Max(append(t.Op.Others, 0)))
		}
	}
}

func (a *asked) Next(c *strategy.Choice) int { return a.choose(c, 0) }

func (a *asked) Pick(c *strategy.Choice, n int) int { return a.choose(c, n) }

func (a *asked) choose(c *strategy.Choice, n int) int {
	a.again = AppendChoice(a.again, c, n)
	a.see(append(c.Enabled, c.Current)...)
	if a.chosen = n + 1; n == 0 && len(c.Enabled) == 1 {
		a.chosen = 0
	}
	return a.chosen
}

// questions are some that a worker asks.
func questions() [][]byte {
	main := &strategy.Task{Key: 7, Op: strategy.Op{Kind: strategy.Load, Object: 3}}
	child := &strategy.Task{ID: 1, Key: 1 << 63, Parent: main, Ops: 12, Spinning: true, Op: strategy.Op{Kind: strategy.Lock, Object: 2, Others: []int{1, 300}}}
	clock := &strategy.Task{ID: 300, Pseudo: true}
	begun := AppendEvent(nil, &strategy.Event{Task: main, Op: main.Op, Child: child, Wakes: []*strategy.Task{child, clock}})
	next := &strategy.Choice{Enabled: []*strategy.Task{main, child, clock}, Current: main, Default: 1, Changes: 2, Step: 400}
	alone := AppendChoice(begun, &strategy.Choice{Enabled: []*strategy.Task{child}, Current: child, Step: 401}, 0)
	return [][]byte{
		alone, AppendChoice(AppendEvent(alone, &strategy.Event{Task: child, Op: child.Op}), next, 0),
		nil, begun, AppendChoice(nil, next, 0), AppendChoice(begun, next, 0),
		AppendChoice(begun, &strategy.Choice{Current: child, Asks: 1}, 3),
	}
}

// Catches: a question that is torn or forged and is answered nevertheless, one that a strategy cannot answer, and one
// that the two sides read differently.
func FuzzAnswer(f *testing.F) {
	for _, q := range questions() {
		f.Add(q)
		f.Add(q[:len(q)/2])
	}
	f.Add([]byte{isChoice, 0, 0, 0, 0, 0, 1, 0, 0}) // a task that is none is enabled
	f.Add([]byte{isChoice, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, question []byte) {
		a := &asked{}
		chosen, err := (&Questioned{Strategy: a}).Answer(slices.Clone(question))
		if err != nil && chosen != 0 || chosen != a.chosen {
			t.Fatalf("%d, %v, and the strategy has chosen %d", chosen, err, a.chosen)
		}
		if err != nil {
			return
		}
		b := &asked{}
		if again, err := (&Questioned{Strategy: b}).Answer(slices.Clone(a.again)); err != nil || again != chosen || !reflect.DeepEqual(a.again, b.again) {
			t.Fatalf("%x is %x, and that %x: %v", question, a.again, b.again, err)
		}
		if a.most > 1<<12 {
			return // tables of that size take the time of many inputs
		}
		for _, name := range []string{"random", "pct", "pct(3)", "pos", "urw", "surw", "dpor", "portfolio", "default"} {
			s, err := strategy.Parse(name)
			if err != nil || !s.Begin(strategy.Execution{Seed: 1}) {
				t.Fatal(err)
			}
			if _, err := (&Questioned{Strategy: s}).Answer(question); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	})
}

// Catches: a list that is read otherwise than it was written, and one that is none and is taken for one.
func TestPackageVariables(t *testing.T) {
	v := &PackageVariables{Landmark: 100, Named: []Extent{{120, 8}, {136, 1}}, Unnamed: []Extent{{1 << 40, 32}}}
	list := v.Encode()
	if got := DecodePackageVariables(list, 100); !reflect.DeepEqual(got, v) {
		t.Errorf("%+v, want %+v", got, v)
	}
	moved := &PackageVariables{Landmark: 90, Named: []Extent{{110, 8}, {126, 1}}, Unnamed: []Extent{{1<<40 - 10, 32}}}
	if got := DecodePackageVariables(list, 90); !reflect.DeepEqual(got, moved) {
		t.Errorf("%+v, want %+v", got, moved)
	}
	if got := DecodePackageVariables((&PackageVariables{Landmark: 1}).Encode(), 1); got == nil || len(got.Named)+len(got.Unnamed) > 0 {
		t.Errorf("%+v, want a list without variables", got)
	}
	for n := range len(list) {
		if n%16 == 0 && n >= 48 {
			continue // a shorter list
		}
		if got := DecodePackageVariables(list[:n], 100); got != nil {
			t.Errorf("%d bytes are %+v", n, got)
		}
	}
}
