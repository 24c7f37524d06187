package campaign

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
)

// drawn are the orders of n executions, of which each is one of that many, as a child reports them.
func drawn(r *rand.Rand, n, of, level int) run.Orders {
	seen := run.Orders{}
	for range n {
		seen.Add(rand.New(rand.NewPCG(7, uint64(r.IntN(of)))).Uint64(), 0, level)
	}
	return seen
}

// TestOrdersExact: while few orders have been seen, all counts are exact.
func TestOrdersExact(t *testing.T) {
	var o orders
	if o.report() != nil || o.chanceOfNew(0) != 1 {
		t.Errorf("without an execution: %+v, chance %v", o.report(), o.chanceOfNew(0))
	}
	o.add(run.Orders{2, 4, 2, 6}, 4)
	o.add(run.Orders{4, 8}, 2)
	if got, want := *o.report(), (report.Orders{Distinct: 4, Last: 6, New: 4, OneOf: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := o.chanceOfNew(6), 3.0/7; got != want { // 6 and 8 were seen once, and one is added
		t.Errorf("the chance is %v, want %v", got, want)
	}
	o.add(run.Orders{}, 100)
	if got := o.report(); got.Last != 106 || got.New != 4 {
		t.Errorf("after a hundred more without an order in the sample: %+v", got)
	}
}

// TestOrdersSampled: of more orders than are kept, the counts are estimates, within four standard
// errors, in bounded memory. A journal restores them.
func TestOrdersSampled(t *testing.T) {
	const all, batch = 200_000, 100
	var o orders
	r := rand.New(rand.NewPCG(1, 2))
	n, seen, before := 0, map[uint32]int{}, 0
	for range 3000 {
		exact := drawn(r, batch, all, 0)
		if n += batch; n == 3000*batch-lastExecutions {
			before = len(seen)
		}
		for _, hash := range exact {
			seen[hash]++
		}
		sample := run.Orders{}
		for _, hash := range exact { // as a child does that knows the level
			if run.Sampled(hash, o.Level) {
				sample = append(sample, hash)
			}
		}
		o.add(sample, batch)
		if len(o.Kept) > mostOrders || len(o.Spans) > lastExecutions/spanExecutions+1 {
			t.Fatalf("%d orders and %d spans are kept", len(o.Kept), len(o.Spans))
		}
	}
	once := 0
	for _, times := range seen {
		if times == 1 {
			once++
		}
	}
	got := o.report()
	near := func(what string, got, want float64) {
		if sampled := want / float64(o.stands()); math.Abs(got-want) > 4*want/math.Sqrt(sampled) {
			t.Errorf("%s: estimated %.4g, is %.4g", what, got, want)
		}
	}
	near("orders", float64(got.Distinct), float64(len(seen)))
	near("seen once", o.chanceOfNew(n)*float64(n+1), float64(once))
	near("new", float64(got.New), float64(len(seen)-before))
	if got.Last != lastExecutions || got.OneOf < 32 || got.OneOf != 1<<o.Level {
		t.Errorf("%+v", got)
	}
	text, err := json.Marshal(o)
	var again orders
	if err == nil {
		err = json.Unmarshal(text, &again)
	}
	if err != nil || !reflect.DeepEqual(o, again) || len(text) > 6*mostOrders {
		t.Errorf("%v: %d bytes, %+v", err, len(text), again)
	}
}
