package strategy

// Newest is Default the other way round: of the tasks that can continue the one that was started last runs
// until it blocks, or yields while another does not. Loops run on for as long as they may.
func Newest() Strategy { return newest{} }

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

type newest struct{}

func (newest) Name() string         { return "newest" }
func (newest) Begin(Execution) bool { return true }

func (newest) Next(c *Choice) int {
	best := c.Default
	for i, t := range c.All() {
		switch b := c.At(best); {
		case t.Pseudo || t.Op.Kind == Yield || t.Spinning:
		case b.Pseudo || b.Op.Kind == Yield || b.Spinning || t.ID > b.ID:
			best = i
		}
	}
	return best
}

func (newest) Pick(c *Choice, n int) int { return runsOn(c, n) }
func (newest) SkipsForced() bool         { return true }
func (newest) End(Result)                {}
