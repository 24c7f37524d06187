package strategy

// Bytes takes each choice from a byte of data: 0 is the default, which is mostly to let the current task
// continue, and b is the b-th alternative after it, in turns. When no byte is left, all choices are the
// default. So the shorter data is, and the more zeros it has, the fewer tasks are preempted, and a byte
// that is changed changes one choice and what depends on it.
//
// It is for fuzzing, where something else searches for data: each execution is the same, whatever its
// seed.
func Bytes(data []byte) Strategy { return &bytes{data: data} }

type bytes struct{ data, left []byte }

func (*bytes) Name() string { return "bytes" }

func (s *bytes) Begin(Execution) bool {
	s.left = s.data
	return true
}

func (s *bytes) Next(c *Choice) int {
	if c.Len() == 1 {
		return 0
	}
	return s.take(c.Default, c.Len())
}

func (s *bytes) Pick(c *Choice, n int) int {
	if c.Asks == HoldOrRunOn { // it has been asked before
		return 0
	}
	return s.take(0, n)
}

// take returns the alternative of n that the next byte selects.
func (s *bytes) take(byDefault, n int) int {
	if len(s.left) == 0 {
		return byDefault
	}
	b := s.left[0]
	s.left = s.left[1:]
	return (byDefault + int(b)) % n
}

func (*bytes) SkipsForced() bool { return true }

// SwitchesAfter: plain code after an operation may have to wait, too.
func (*bytes) SwitchesAfter() bool { return true }

func (*bytes) End(Result) {}
