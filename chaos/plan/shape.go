package plan

// A Shape is how the lengths of a delay are distributed. All draws are made with
// whole numbers, so that a seed gives the same lengths on every machine.
type Shape uint8

// The shapes. With the last two, most delays are short and a few are long; Pareto has the heavier
// tail.
const (
	// Uniform: all lengths from Min to Max are equally likely.
	Uniform Shape = iota
	// Exponential: Min plus an exponentially distributed length, so that the mean is Mean.
	Exponential
	// Pareto: Min times a Pareto distributed factor of scale 1 and mean Mean/Min. Its exponent
	// is Mean/(Mean-Min): the farther Mean is from Min, the heavier the tail.
	Pareto

	shapeEnd
)

var shapeNames = [...]string{"uniform", "exponential", "pareto"}

// String returns the shape's name.
func (s Shape) String() string {
	if s < shapeEnd {
		return shapeNames[s]
	}
	return "?"
}

// parseShape returns the shape of that name.
func parseShape(name string) (Shape, bool) {
	for i, n := range shapeNames {
		if n == name {
			return Shape(i), true
		}
	}
	return 0, false
}

// ShapeNames lists the names that parseShape accepts.
func ShapeNames() []string { return append([]string(nil), shapeNames[:]...) }
