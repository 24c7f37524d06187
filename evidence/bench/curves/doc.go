// Package curves measures what a job or a join costs as there are more of them, as workers are
// more, and as joins are nested deeper, and looks for cliffs: places where a little more costs much
// more.
//
// It imports package pool, and of this module gopools, measure and picture, gonum's plot and the
// standard library.
package curves
