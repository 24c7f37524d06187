package pool

// A splitter decides whether a span of a loop is halved once more: rayon's LengthSplitter
// (src/iter/plumbing/mod.rs). It begins with about one leaf for each worker, and asks for more
// where a span was stolen, since that means that a worker was out of work. So a loop makes few
// leaves if its elements cost the same, and many where they do not.
//
// The halves of a span begin with a copy each.
type splitter struct {
	splits int  // how often the span is halved if it stays where it is: log2 of this, and once more
	min    int  // elements that a half must have
	stolen bool // the span was, and is halved before anything else
}

// newSplitter is the splitter of n elements. minLen and maxLen are what a leaf's length is to be
// between, at least 1 each; where they contradict, minLen holds.
func newSplitter(workers, n, minLen, maxLen int) splitter {
	return splitter{splits: max(workers, n/maxLen), min: minLen}
}

// split reports whether to halve a span of n elements.
func (s *splitter) split(n int) bool {
	s.stolen = false
	if s.splits == 0 || n/2 < s.min {
		return false
	}
	s.splits /= 2
	return true
}

// migrated is the splitter of a span that another worker has forked.
func (s splitter) migrated(workers int) splitter {
	return splitter{splits: 2 * max(workers, s.splits/2), min: s.min, stolen: true}
}

// leaves are those of the elements from lo to before hi, if they are done in order: as many as
// halving makes, and as long, to within one element.
type leaves struct {
	lo, hi int
	left   int // leaves that are left
	length int // of each
	longer int // how many of the last are longer by one
}

// leaves returns the leaves of a span that stays where it is: those that halving makes, or, if piece
// is not 0, pieces of at most so many elements.
func (s *splitter) leaves(lo, hi, piece int) leaves {
	if piece > 0 {
		n := max(1, min((hi-lo+piece-1)/piece, (hi-lo)/s.min))
		return leaves{lo, hi, n, (hi - lo) / n, (hi - lo) % n}
	}
	halvings, splits, length := 0, s.splits, hi-lo
	for ; splits > 0 && length/2 >= s.min; splits, length = splits/2, length/2 {
		halvings++
	}
	n, longer := 1<<halvings, (hi-lo)&(1<<halvings-1)
	if longer > 0 && splits > 0 && (length+1)/2 >= s.min { // those that are longer are halved once more
		n += longer
		length, longer = (hi-lo)/n, (hi-lo)%n
	}
	return leaves{lo, hi, n, length, longer}
}

// next returns the bounds of the next leaf. There is one.
func (l *leaves) next() (lo, hi int) {
	lo, hi = l.lo, l.lo+l.length
	if l.left <= l.longer {
		hi++
	}
	l.lo, l.left = hi, l.left-1
	return lo, hi
}

// rest is the splitter of those that are left.
func (l *leaves) rest(s splitter) splitter {
	return splitter{splits: max(l.left-1, 0), min: s.min}
}
