// Package plan says what is to go wrong in a subject, where, how often, and with
// which seed. The engines that carry a plan out are chaos/native, while goroutines
// run truly parallel, and chaos/control, one task at a time.
//
// Parse reads a plan as text, in the form that it has in scenario files.
//
// Package chaos has its types under the same names. It imports hooks,
// internal/seam and internal/nearest.
package plan
