package pool

// A splitter decides whether a span of a loop is halved once more: rayon's
// LengthSplitter (src/iter/plumbing/mod.rs). It begins with about one leaf for
// each worker, and asks for more where a span was stolen, since that says that
// somebody was out of work. So a loop makes few leaves if its elements cost the
// same, and many where they do not.
//
// The halves of a span begin with a copy each.
type splitter struct {
	splits int // how often the span is halved if it stays where it is: log2 of this, and once more
	min    int // elements that a half must have
}

// newSplitter is the splitter of n elements. minLen and maxLen are what a leaf's
// length is to be between, at least 1 each; where they contradict, minLen holds.
func newSplitter(workers, n, minLen, maxLen int) splitter {
	return splitter{splits: max(workers, n/maxLen), min: minLen}
}

// split reports whether to halve a span of n elements. It has migrated if another
// worker forked it.
func (s *splitter) split(workers, n int, migrated bool) bool {
	switch {
	case n/2 < s.min:
		return false
	case migrated:
		s.splits = max(workers, s.splits/2)
		return true
	case s.splits > 0:
		s.splits /= 2
		return true
	}
	return false
}
