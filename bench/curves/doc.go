// Package curves measures what a job or a join costs as there are more of them, as workers are more, and as
// joins are nested deeper, and looks for cliffs: places where a little more costs much more.
//
// It imports packages pool, and of this module gopools and measure, gonum's plot and the
// standard library.
package curves
