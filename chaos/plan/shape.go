package plan

// A Shape is how the lengths of a delay are distributed. All draws are made with
// whole numbers, so that a seed gives the same lengths on every machine.
type Shape uint8

// The shapes. The last two are for delays that are short as a rule, and long now and
// then; of the two, Pareto has the heavier tail.
const (
	// Uniform: any length from Min to Max is as good as another; the same one, always,
	// if Min is Max.
	Uniform Shape = iota
	// Exponential: Min, and what is added to it is exponentially distributed, so that
	// the mean is Mean.
	Exponential
	// Pareto: Min, times what a Pareto distribution with the scale 1 gives whose mean is
	// Mean/Min. Its exponent is Mean/(Mean-Min): the farther Mean is from Min, the
	// heavier the tail.
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
