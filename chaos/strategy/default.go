package strategy

// Default makes the canonical choice at every step: the current task runs until it
// blocks, and then the enabled task of the lowest ID. Schedules are recorded as their
// differences from it.
func Default() Strategy { return canonical{} }

type canonical struct{}

func (canonical) Name() string          { return "default" }
func (canonical) Begin(Execution) bool  { return true }
func (canonical) Next(c *Choice) int    { return c.Default }
func (canonical) Pick(*Choice, int) int { return 0 }
func (canonical) SkipsForced() bool     { return true }
func (canonical) End(Result)            {}
