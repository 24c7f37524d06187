package strategy

// grow returns s with an element i: missing ones are zero. Tables that are indexed by task or
// object grow that way, since neither is counted beforehand.
func grow[T any](s []T, i int) []T {
	var zero T
	for len(s) <= i {
		s = append(s, zero)
	}
	return s
}
