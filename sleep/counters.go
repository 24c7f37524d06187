package sleep

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
)

// Widths are the numbers of bits of the three counters that share one word. Tests make them small,
// to reach within seconds what takes years in production.
type Widths struct {
	Sleeping int // workers asleep
	Inactive int // workers idle, sleepy or asleep
	JEC      int // jobs event counter, modulo 2^JEC
}

// ProductionWidths are rayon's on 64-bit machines; here they hold on all machines.
var ProductionWidths = Widths{Sleeping: 16, Inactive: 16, JEC: 32}

// MaxWorkers returns the largest number of workers that the widths can count.
func (w Widths) MaxWorkers() int {
	return 1<<min(w.Sleeping, w.Inactive) - 1
}

func (w Widths) check() error {
	for _, f := range []struct {
		name string
		bits int
		most int
	}{{"sleeping", w.Sleeping, 30}, {"inactive", w.Inactive, 30}, {"JEC", w.JEC, 62}} {
		if f.bits < 1 || f.bits > f.most {
			return fmt.Errorf("%d bits for the %s counter: want 1 to %d", f.bits, f.name, f.most)
		}
	}
	if sum := w.Sleeping + w.Inactive + w.JEC; sum > 64 {
		return fmt.Errorf("counters of %d bits in all: want at most 64", sum)
	}
	return nil
}

// Counters is one consistent reading of the three counters.
type Counters struct {
	Sleeping, Inactive int
	JEC                uint64
}

// Idle returns how many workers are awake and searching.
func (c Counters) Idle() int { return c.Inactive - c.Sleeping }

// word is the packed form. From the least significant bit: sleeping, inactive, and the JEC, at the
// top of the word so that it wraps without touching the others.
type word uint64

// oneSleeping is the unit of the sleeping counter. The units of the others are in atomicCounters.
const oneSleeping word = 1

// atomicCounters holds the word and its layout. Invariant: sleeping <= inactive <= number of
// workers. The declared orders are relaxed: the two fences order what must be (README.md,
// "Fences").
type atomicCounters struct {
	value atomic.Uint64

	oneInactive, oneJEC        word
	sleepingMask, inactiveMask word
	inactiveShift, jecShift    uint8
}

// init is called before the counters are shared.
func (c *atomicCounters) init(w Widths, initialJEC uint64) {
	c.inactiveShift = uint8(w.Sleeping)
	c.jecShift = uint8(64 - w.JEC)
	c.oneInactive = 1 << c.inactiveShift
	c.oneJEC = 1 << c.jecShift
	c.sleepingMask = 1<<w.Sleeping - 1
	c.inactiveMask = 1<<w.Inactive - 1
	c.value.Store(initialJEC << c.jecShift)
}

func (c *atomicCounters) sleeping(w word) int { return int(w & c.sleepingMask) }
func (c *atomicCounters) inactive(w word) int { return int(w >> c.inactiveShift & c.inactiveMask) }
func (c *atomicCounters) jec(w word) uint64   { return uint64(w >> c.jecShift) }

// withJEC returns w with another JEC, taken modulo its width.
func (c *atomicCounters) withJEC(w word, jec uint64) word {
	return w&(c.oneJEC-1) | word(jec)<<c.jecShift
}

// isSleepy reports whether the JEC is even: no job was posted since a worker last announced that it
// is sleepy.
func (c *atomicCounters) isSleepy(w word) bool { return w&c.oneJEC == 0 }

func (c *atomicCounters) load() word { return word(memory.LoadUint64(&c.value, memory.Relaxed)) }

func (c *atomicCounters) cas(old, new word) bool {
	return memory.CompareAndSwapUint64(&c.value, uint64(old), uint64(new), memory.Relaxed, memory.Relaxed)
}

// addInactive is C1: one more worker searches.
func (c *atomicCounters) addInactive() {
	memory.AddUint64(&c.value, uint64(c.oneInactive), memory.Relaxed)
}

// subInactive is C2: a worker stops searching. It returns the counters after that: other workers
// may have to replace it.
func (c *atomicCounters) subInactive() Counters {
	// No declared order: with one, the compiler makes other instructions of an addition whose sum
	// is used.
	return c.unpack(word(c.value.Add(-uint64(c.oneInactive))))
}

// addSleeping, of RFC 5: one more worker sleeps, whatever has changed.
func (c *atomicCounters) addSleeping() {
	memory.AddUint64(&c.value, uint64(oneSleeping), memory.Relaxed)
}

// subSleeping is C3: a worker is woken, or turns back in its final check.
func (c *atomicCounters) subSleeping() { memory.AddUint64(&c.value, ^uint64(0), memory.Relaxed) }

// trySleeping is C5: one more worker sleeps, if nothing has changed since the snapshot, the JEC
// included.
func (c *atomicCounters) trySleeping(snapshot word) bool {
	return c.cas(snapshot, snapshot+oneSleeping)
}

// unpack returns the three counters of a word.
func (c *atomicCounters) unpack(w word) Counters {
	return Counters{Sleeping: c.sleeping(w), Inactive: c.inactive(w), JEC: c.jec(w)}
}
