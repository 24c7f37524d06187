// Package plan describes the faults to inject into a subject: where, how often, and with which
// seed. The engines that carry a plan out are chaos/native, while goroutines run in parallel, and
// chaos/control, one task at a time.
//
// Parse reads a plan as text, in the form that it has in scenario files; ReadFaults reads
// the faults of both.
//
// Package chaos has its types under the same names. It imports hooks, internal/seam and
// internal/nearest; in the chaos build also internal/yamltree, a parser of YAML, which services do
// not ship in the normal build.
package plan
