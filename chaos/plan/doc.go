// Package plan says what is to go wrong in a subject, where, how often, and with
// which seed. The engines that carry a plan out are chaos/native, while goroutines
// run truly parallel, and chaos/control, one task at a time.
//
// Parse reads a plan as text, in the form that it has in scenario files; ReadFaults reads
// the faults of both.
//
// Package chaos has its types under the same names. It imports hooks, internal/seam and
// internal/nearest; in the chaos build internal/yamltree, and with it a parser of YAML,
// which the normal build has nothing to do for.
package plan
