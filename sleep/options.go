package sleep

import "fmt"

// DefaultRoundsUntilSleepy is the number of failed searches before a worker announces that it is
// sleepy. One more search follows, then it sleeps. (rayon: ROUNDS_UNTIL_SLEEPY.)
const DefaultRoundsUntilSleepy = 32

// maxRounds is the largest number of rounds that New accepts.
const maxRounds = 1 << 20

// An Option changes a parameter of New. A nil Option is ignored.
type Option func(*config)

type config struct {
	alternative
	widths     Widths
	initialJEC uint64
	rounds     int
	spares     int
}

func newConfig(options []Option) *config {
	c := &config{widths: ProductionWidths, rounds: DefaultRoundsUntilSleepy}
	for _, o := range options {
		if o != nil {
			o(c)
		}
	}
	return c
}

// WithWidths sets the widths of the counters; default ProductionWidths.
func WithWidths(w Widths) Option { return func(c *config) { c.widths = w } }

// WithInitialJEC sets the first value of the jobs event counter, modulo its width; default 0. A
// value near the maximum makes it roll over soon.
func WithInitialJEC(jec uint64) Option { return func(c *config) { c.initialJEC = jec } }

// WithRoundsUntilSleepy sets the number of failed searches before a worker announces that it is
// sleepy; default DefaultRoundsUntilSleepy. RFC 5 has no announcement: the worker sleeps then. With
// Tickle a sleepy worker searches that often again, at least once, before it sleeps.
func WithRoundsUntilSleepy(n int) Option { return func(c *config) { c.rounds = n } }

// WithSpares sets how many workers there may be in addition to those that New counts. They count
// against the widths, but not as awake when a protocol asks how many workers are.
func WithSpares(n int) Option { return func(c *config) { c.spares = n } }

// check returns an error if a parameter is out of its range.
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
	return nil
}
