package sleep

import (
	"errors"
	"fmt"
)

// DefaultRoundsUntilSleepy is how many searches in vain a worker makes before it
// announces that it is sleepy. One more search follows, then it sleeps. (rayon:
// ROUNDS_UNTIL_SLEEPY.)
const DefaultRoundsUntilSleepy = 32

// DefaultRoundsUntilAsleep is how many searches more a sleepy worker makes before it
// sleeps, with Tickle. (rayon 1.7: ROUNDS_UNTIL_ASLEEP is 64.)
const DefaultRoundsUntilAsleep = 32

// maxRounds bounds what the options may ask for.
const maxRounds = 1 << 20

// An Option changes a parameter of New.
type Option func(*config)

type config struct {
	protocol   protocol
	widths     Widths
	initialJEC uint64
	rounds     int
	roundsMore int // Tickle: from sleepy to asleep
	spares     int

	rules    rules // of JEC
	noSleepy bool  // of RFC5
	swaps    bool  // of Tickle

	oneByOne, dummyFlag bool // of any
}

// A protocol is one of the three.
type protocol uint8

const (
	jecProtocol protocol = iota
	tickleProtocol
	rfc5Protocol
)

// WithWidths sets the widths of the counters; default ProductionWidths.
func WithWidths(w Widths) Option { return func(c *config) { c.widths = w } }

// WithInitialJEC sets where the jobs event counter starts, modulo its width;
// default 0. A start near the maximum makes it roll over soon.
func WithInitialJEC(jec uint64) Option { return func(c *config) { c.initialJEC = jec } }

// WithRoundsUntilSleepy sets how many searches in vain precede the announcement, or with
// RFC5, which has none, sleep; default DefaultRoundsUntilSleepy.
func WithRoundsUntilSleepy(n int) Option { return func(c *config) { c.rounds = n } }

// WithRoundsUntilAsleep sets how many searches in vain a sleepy worker makes before it
// sleeps, with Tickle: one at least, which makes the strategy correct, and by default
// DefaultRoundsUntilAsleep. JEC knows one only.
func WithRoundsUntilAsleep(n int) Option { return func(c *config) { c.roundsMore = n } }

// WithSpares says that there may be that many workers more than New is told, who come
// and go. They count where the widths are checked, and not where a strategy asks how many
// workers are awake.
func WithSpares(n int) Option { return func(c *config) { c.spares = n } }

// check returns an error if the parameters do not go together.
func (c *config) check(workers int) error {
	if err := c.widths.check(); err != nil {
		return err
	}
	if c.spares < 0 {
		return fmt.Errorf("%d spare workers: want 0 or more", c.spares)
	}
	if most := c.widths.MaxWorkers(); workers < 1 || workers > most || c.spares > most-workers {
		return fmt.Errorf("%d workers: want 1 to %d (the widths of the counters allow no more)", workers+c.spares, most)
	}
	if c.rounds < 0 || c.rounds > maxRounds {
		return fmt.Errorf("%d rounds until sleepy: want 0 to %d", c.rounds, maxRounds)
	}
	if c.roundsMore < 1 || c.roundsMore > maxRounds {
		return fmt.Errorf("%d rounds until asleep: want 1 to %d", c.roundsMore, maxRounds)
	}
	switch {
	case c.protocol != jecProtocol && c.rules != rules{}:
		return errors.New("an alternative of JEC, but another strategy")
	case c.protocol != tickleProtocol && c.swaps:
		return errors.New("an alternative of Tickle, but another strategy")
	case c.protocol != rfc5Protocol && c.noSleepy:
		return errors.New("an alternative of RFC 5, but another strategy")
	case c.roundsMore != DefaultRoundsUntilAsleep && c.protocol != tickleProtocol:
		return errors.New("rounds until asleep are Tickle's alone")
	}
	return nil
}
