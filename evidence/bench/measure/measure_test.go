package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

// Catches: a quantile that is off by one, or between the wrong two.
func TestQuantile(t *testing.T) {
	s := Series{40, 10, 30, 20, 50}
	for q, want := range map[float64]float64{0: 10, 0.25: 20, 0.5: 30, 0.6: 34, 0.99: 49.6, 1: 50} {
		if got := s.Sorted().Quantile(q); math.Abs(got-want) > 1e-9 {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	if s[0] != 40 {
		t.Error("the series itself was sorted")
	}
	if got := (Series{7}).Median(); got != 7 {
		t.Errorf("median of one is %v", got)
	}
	if got := (Series{}).Median(); !math.IsNaN(got) {
		t.Errorf("median of nothing is %v", got)
	}
}

func TestMoments(t *testing.T) {
	s := Series{2, 4, 4, 4, 5, 5, 7, 9}
	if got := s.Mean(); got != 5 {
		t.Errorf("mean %v, want 5", got)
	}
	if got, want := s.StdDev(), math.Sqrt(32.0/7); math.Abs(got-want) > 1e-9 {
		t.Errorf("deviation %v, want %v", got, want)
	}
}

// Catches: ratios of different rounds.
func TestOver(t *testing.T) {
	if got := (Series{2, 9}).Over(Series{4, 3}); !slices.Equal(got, Series{0.5, 3}) {
		t.Errorf("got %v", got)
	}
}

// Catches: a contestant that has more turns than another, or always the same one
// before it; an error that does not end it.
func TestTurns(t *testing.T) {
	var order []string
	err := Turns(context.Background(), 3, 3, func(round, i int) error {
		order = append(order, fmt.Sprint(round, i))
		return nil
	})
	if want := []string{"0 0", "0 1", "0 2", "1 1", "1 2", "1 0", "2 2", "2 0", "2 1"}; err != nil || !slices.Equal(order, want) {
		t.Errorf("%v, %v, want %v", order, err, want)
	}
	trouble, turns := errors.New("trouble"), 0
	if err := Turns(context.Background(), 3, 3, func(_, _ int) error { turns++; return trouble }); err != trouble || turns != 1 {
		t.Errorf("%v after %d turns", err, turns)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	turns = 0
	if err := Turns(ctx, 3, 3, func(_, _ int) error { turns++; cancel(trouble); return nil }); err != trouble || turns != 1 {
		t.Errorf("%v after %d turns", err, turns)
	}
}

// Catches: a clock that does not see work, one that counts sleep as work, and one of
// another unit. (It waits for a figure that any clock of the right kind reaches: no
// bound on time is asserted.)
func TestCPU(t *testing.T) {
	c, err := Of(func() error {
		for begin := CPU(); CPU()-begin < 20*time.Millisecond; {
		}
		return nil
	})
	if err != nil || c.CPU < 20*time.Millisecond || c.Wall <= 0 {
		t.Errorf("%+v, %v: want 20ms of work at least", c, err)
	}
	trouble := errors.New("trouble")
	if _, err := Of(func() error { return trouble }); err != trouble {
		t.Errorf("%v, want the function's error", err)
	}
}
