package orders

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sort"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// drawn are the orders of n executions, of which each is one of that many, as a child reports them.
func drawn(r *rand.Rand, n, of, level int) Hashes {
	seen := Hashes{}
	for range n {
		seen.Add(rand.New(rand.NewPCG(7, uint64(r.IntN(of)))).Uint64(), 0, level)
	}
	return seen
}

// TestOrdersExact: while few orders have been seen, all counts are exact.
func TestOrdersExact(t *testing.T) {
	var o Counter
	if o.Summary(0) != nil || o.Weight(0) != 1 {
		t.Errorf("without an execution: %+v, weight %v", o.Summary(0), o.Weight(0))
	}
	o.Add(Hashes{4, 8, 4, 12}, 4)
	o.Add(Hashes{8, 16}, 2)
	chance := o.ChanceOfNew(6)
	if got, want := o.Summary(6), (&Summary{Distinct: 4, Last: 6, New: 4, OneOf: 1, ChanceOfNew: &chance}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := o.Weight(6), 3.0/7; got != want { // 12 and 16 were seen once, and one is added
		t.Errorf("the weight is %v, want %v", got, want)
	}
	o.Add(Hashes{}, 100)
	if got := o.Summary(106); got.Last != 106 || got.New != 4 {
		t.Errorf("after a hundred more without an order in the sample: %+v", got)
	}
}

// TestOrdersPossible: of executions of which each has an order of its own, no estimate is above their number.
func TestOrdersPossible(t *testing.T) {
	const executions = 10_000
	above := 0
	for seed := range uint64(20) {
		var o Counter
		r, seen := rand.New(rand.NewPCG(seed, 3)), Hashes{}
		for range executions {
			seen.Add(r.Uint64(), 0, 0)
		}
		o.Add(seen, executions)
		if o.Distinct() > executions {
			above++
		}
		if got := o.Summary(executions); got.Distinct > executions || got.New > got.Last {
			t.Errorf("%+v", got)
		}
	}
	if above == 0 {
		t.Error("no sample stood for more than there were")
	}
}

// TestOrdersSampled: of more orders than are kept, the counts are estimates, within four standard
// errors, in bounded memory. A journal restores them.
func TestOrdersSampled(t *testing.T) {
	const all, batch = 200_000, 100
	var o Counter
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
		sample := Hashes{}
		for _, hash := range exact { // as a child does that knows the level
			if sampled(hash, o.Level) {
				sample = append(sample, hash)
			}
		}
		o.Add(sample, batch)
		if len(o.Kept) > mostKept || len(o.Spans) > lastExecutions/spanExecutions+1 {
			t.Fatalf("%d orders and %d spans are kept", len(o.Kept), len(o.Spans))
		}
	}
	once := 0
	for _, times := range seen {
		if times == 1 {
			once++
		}
	}
	got := o.Summary(n)
	near := func(what string, got, want float64) {
		if sampled := want / float64(o.OneOf()); math.Abs(got-want) > 4*want/math.Sqrt(sampled) {
			t.Errorf("%s: estimated %.4g, is %.4g", what, got, want)
		}
	}
	near("orders", float64(got.Distinct), float64(len(seen)))
	near("seen once", o.Weight(n)*float64(n+1), float64(once))
	near("new", float64(got.New), float64(len(seen)-before))
	if got.Last != lastExecutions || got.OneOf < 32 || got.OneOf != 1<<o.Level {
		t.Errorf("%+v", got)
	}
	text, err := json.Marshal(o)
	var again Counter
	if err == nil {
		err = json.Unmarshal(text, &again)
	}
	if err != nil || !reflect.DeepEqual(o, again) || len(text) > 6*mostKept {
		t.Errorf("%v: %d bytes, %+v", err, len(text), again)
	}
}

// TestChanceOfNew: between the bounds lies the true probability, in at least 93 of 100 samples: of orders that
// are as likely as each other, of such as are not, few and many, exact and sampled.
func TestChanceOfNew(t *testing.T) {
	for name, test := range map[string]struct {
		executions int
		weights    func(i int) float64 // of order i
		orders     int
	}{
		"one":                  {100, func(int) float64 { return 1 }, 1},
		"few, alike":           {1000, func(int) float64 { return 1 }, 20},
		"many, alike":          {1000, func(int) float64 { return 1 }, 2000},
		"halves":               {1000, func(i int) float64 { return math.Pow(0.5, float64(i)) }, 40},
		"one by rank":          {1000, func(i int) float64 { return 1 / float64(i+1) }, 5000},
		"one by rank, many":    {10_000, func(i int) float64 { return 1 / float64(i+1) }, 50_000},
		"alike, sampled":       {20_000, func(int) float64 { return 1 }, 30_000},
		"rare ones, all new":   {300, func(int) float64 { return 1 }, 1_000_000},
		"one, and rare others": {1000, func(i int) float64 { return map[bool]float64{true: 1, false: 1e-4}[i == 0] }, 100},
	} {
		t.Run(name, func(t *testing.T) {
			sums, total := make([]float64, test.orders), 0.0
			for i := range sums {
				total += test.weights(i)
				sums[i] = total
			}
			const samples = 100
			inside := 0
			for sample := range samples {
				r := rand.New(rand.NewPCG(uint64(sample), 3))
				var c Counter
				seen, left := make([]bool, test.orders), total
				var hashes Hashes
				for range test.executions {
					i := sort.SearchFloat64s(sums, r.Float64()*total)
					if !seen[i] {
						seen[i], left = true, left-test.weights(i)
					}
					hashes.Add(rand.New(rand.NewPCG(uint64(i), 5)).Uint64(), 0, c.Level)
				}
				c.Add(hashes, test.executions)
				got := c.ChanceOfNew(test.executions)
				if got.Low > got.Estimate || got.Estimate > got.High || got.Low < 0 || got.High > 1 {
					t.Fatalf("%+v", got)
				}
				if p := left / total; got.Low <= p+1e-12 && p <= got.High {
					inside++
				}
			}
			if inside < 93 {
				t.Errorf("the bounds held in %d samples of %d", inside, samples)
			}
		})
	}
}

// TestOrderOfAdding: batches may come in any order, and from any process.
func TestOrderOfAdding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	hashes := drawn(r, 30_000, 20_000, 0)
	var forth, back Counter
	forth.Add(hashes, len(hashes))
	slices.Reverse(hashes)
	back.Add(hashes, len(hashes))
	if forth.Spans, back.Spans = nil, nil; forth.Level == 0 || !reflect.DeepEqual(forth, back) {
		t.Errorf("level %d with %d kept, and level %d with %d", forth.Level, len(forth.Kept), back.Level, len(back.Kept))
	}
}

// Catches: hashes that are read in part, or differently from how they are written.
func FuzzHashes(f *testing.F) {
	for _, text := range []string{`""`, `null`, `"AAAAAA=="`, `"BAAAAAgAAAA="`, `"AAAA"`, `"AAAAAA"`, `"%"`, `[1]`, `{}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var h, again Hashes
		if json.Unmarshal(text, &h) != nil {
			return
		}
		written, err := json.Marshal(h)
		if err != nil || json.Unmarshal(written, &again) != nil || !slices.Equal(h, again) {
			t.Fatalf("%s is %v, written %s, which is %v: %v", text, h, written, again, err)
		}
	})
}
