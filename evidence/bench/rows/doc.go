// Package rows has the comparisons of rouse with its peers: a file for each, named after its
// measurement. The Bounds of a row are the requirements on rouse.
//
// Sizes are those of rayon-demo where it has the workload. The sides in other languages are in
// foreign/rust and foreign/tbb, under the same names. Every turn checks its results.
//
// It imports packages pool and sleep, and of this module peers, gopools, foreign, rayondemo and
// measure.
package rows
