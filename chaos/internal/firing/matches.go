package firing

// IsPattern reports whether a task name is a pattern for several tasks.
//
//go:norace
func IsPattern(name string) bool {
	for i := range len(name) {
		if name[i] == '*' {
			return true
		}
	}
	return false
}

// Matches reports whether the pattern matches the name: a star matches any text, also the
// empty one, and every other character matches itself.
//
//go:norace
func Matches(pattern, name string) bool {
	// star is where the last star was, and tried how much of the name it takes. An
	// earlier star need never take more than it has.
	star, tried := -1, 0
	p, n := 0, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, tried = p, n
			p++
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0:
			tried++
			p, n = star+1, tried
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
