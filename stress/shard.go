package stress

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Shard is one part of a campaign that several machines share: part Index, from 0, of
// Of. The zero value is all of it.
//
// What is shared out is, of a native scenario, a round of its pool sizes, and of a
// controlled one a batch: each in turn to the next shard, beginning with one that depends on
// the scenario, so that all have something to do. It follows from the execution's number,
// the scenario and Of alone: no machine has to know of another.
type Shard struct{ Index, Of int }

// mostShards is more than any campaign has machines for.
const mostShards = 1 << 16

// ParseShard reads what String writes: "0/4" is the first of four.
func ParseShard(text string) (Shard, error) {
	i, n, _ := strings.Cut(text, "/")
	index, err := strconv.ParseUint(i, 10, 31)
	of, err2 := strconv.ParseUint(n, 10, 31)
	if err != nil || err2 != nil || index >= of || of > mostShards {
		return Shard{}, fmt.Errorf("want i/n, the shard i, from 0 to n-1, of n, at most %d", mostShards)
	}
	return Shard{int(index), int(of)}, nil
}

// String is i/n; "" if it is all.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// step is how many units come to one of the shard's.
func (s Shard) step() int { return max(s.Of, 1) }

// unit is how many executions of a scenario are always in the same shard.
func (sc *Scenario) unit() int {
	switch {
	case sc.Mode != Control:
		return max(len(sc.Pool.Workers), 1)
	case isExhaustive(sc):
		return math.MaxInt
	}
	return batchSize
}

// first is the number of the shard's first unit.
func (s Shard) first(sc *Scenario) int {
	step := uint64(s.step())
	return int((uint64(s.Index) + step - executionSeed(0, sc.Title(), 0)%step) % step)
}

// has reports whether a unit is the shard's.
func (s Shard) has(sc *Scenario, unit int) bool { return unit%s.step() == s.first(sc) }

// unitFrom is the number of the shard's first unit that is not before that one.
func (s Shard) unitFrom(sc *Scenario, unit int) int {
	return unit + (s.first(sc)-unit%s.step()+s.step())%s.step()
}

// from is the number of the shard's first execution that is not before n.
func (s Shard) from(sc *Scenario, n int) int {
	size := sc.unit()
	if u := n / size; !s.has(sc, u) {
		return s.unitFrom(sc, u) * size
	}
	return n
}

// below counts the shard's executions with numbers below n.
func (s Shard) below(sc *Scenario, n int) (count int) {
	size, first := sc.unit(), s.first(sc)
	whole := n / size
	if whole > first {
		count = ((whole-1-first)/s.step() + 1) * size
	}
	if s.has(sc, whole) {
		count += n % size
	}
	return count
}
