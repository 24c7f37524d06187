package strategy

// Newest is Default the other way round: of the tasks that can continue the one that was started last runs
// until it blocks, or yields while another does not. Loops run on for as long as they may.
func Newest() Strategy { return new(newest) }

// Oldest is Default, except that loops run on for as long as they may.
func Oldest() Strategy { return oldest{} }

type oldest struct{ canonical }

func (oldest) Name() string              { return "oldest" }
func (oldest) Pick(c *Choice, n int) int { return runsOn(c, n) }

// runsOn answers a Pick: a loop runs on alone for as long as it may, and an outcome is the first one.
func runsOn(c *Choice, n int) int {
	switch c.Asks {
	case RunOn:
		return min(n-1, RunOnStops)
	case HoldOrRunOn:
		return n - 1
	}
	return 0
}

// newest keeps an index while an execution has many tasks.
type newest struct{ index index }

func (*newest) Name() string { return "newest" }

func (s *newest) Begin(Execution) bool {
	s.index.reset()
	return true
}

func (s *newest) Next(c *Choice) int {
	if c.HasMany() {
		s.index.sync(c, s)
		if t := s.index.highest(); continues(t) {
			return c.Index(t)
		}
		return c.Default
	}
	best := c.Default
	for i, t := range c.Enabled {
		if b := c.At(best); continues(t) && (!continues(b) || t.ID > b.ID) {
			best = i
		}
	}
	return best
}

// continues reports whether a task is not passed over.
func continues(t *Task) bool { return !t.Pseudo && t.Op.Kind != Yield && !t.Spinning }

// mark implements marker.
func (*newest) mark(t *Task) mark {
	if !continues(t) {
		return mark{top: -1}
	}
	return mark{top: int64(t.ID)}
}

func (*newest) Pick(c *Choice, n int) int { return runsOn(c, n) }
func (*newest) SkipsForced() bool         { return true }
func (*newest) End(Result)                {}
