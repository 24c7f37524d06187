package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/stress/subject"
)

// A Shard is one part of a campaign that several machines share: part Index, from 0, of
// Of. The zero value is the whole campaign.
//
// The unit of a native scenario is a round of its settings, and that of a controlled one is
// a batch. Units go to the shards in turn, beginning with a shard that depends on the
// scenario, so that all have something to do. The shard of an execution depends only on its
// number, the scenario and Of: the machines need not communicate.
type Shard struct{ Index, Of int }

// MostShards is more than any campaign has machines for.
const MostShards = 1 << 16

// ParseShard parses the form of String: "0/4" is the first of four.
func ParseShard(text string) (Shard, error) {
	i, n, _ := strings.Cut(text, "/")
	index, err := strconv.ParseUint(i, 10, 31)
	of, err2 := strconv.ParseUint(n, 10, 31)
	if err != nil || err2 != nil || index >= of || of > MostShards {
		return Shard{}, fmt.Errorf("want i/n, the shard i, from 0 to n-1, of n, at most %d", MostShards)
	}
	return Shard{int(index), int(of)}, nil
}

// String returns i/n, or "" for the whole campaign.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// Step returns the distance between the numbers of the shard's units.
func (s Shard) Step() int { return max(s.Of, 1) }

// BatchSize is how many executions of a controlled scenario make a batch: see explore.Batches.
const BatchSize = 128

// Exhaustive reports whether the scenario's strategy ends when it has explored all schedules.
func (sc *Scenario) Exhaustive() bool {
	s, _ := strategy.Parse(sc.StrategyName()) // Load has checked it
	_, ok := s.(strategy.Exhaustive)
	return ok
}

// Unit returns how many successive executions of a scenario are always in the same shard.
func (sc *Scenario) Unit() int {
	switch {
	case sc.Mode != Control:
		return max(sc.Settings(), 1)
	case sc.Exhaustive():
		return math.MaxInt
	}
	return BatchSize
}

// first returns the number of the shard's first unit.
func (s Shard) first(sc *Scenario) int {
	step := uint64(s.Step())
	return int((uint64(s.Index) + step - subject.Seed(0, sc.Title(), 0)%step) % step)
}

// Has reports whether a unit is the shard's.
func (s Shard) Has(sc *Scenario, unit int) bool { return unit%s.Step() == s.first(sc) }

// UnitFrom returns the number of the shard's first unit from the given one on.
func (s Shard) UnitFrom(sc *Scenario, unit int) int {
	return unit + (s.first(sc)-unit%s.Step()+s.Step())%s.Step()
}

// From returns the number of the shard's first execution from n on.
func (s Shard) From(sc *Scenario, n int) int {
	size := sc.Unit()
	if u := n / size; !s.Has(sc, u) {
		return s.UnitFrom(sc, u) * size
	}
	return n
}

// Below counts the shard's executions with numbers below n.
func (s Shard) Below(sc *Scenario, n int) (count int) {
	size, first := sc.Unit(), s.first(sc)
	whole := n / size
	if whole > first {
		count = ((whole-1-first)/s.Step() + 1) * size
	}
	if s.Has(sc, whole) {
		count += n % size
	}
	return count
}
