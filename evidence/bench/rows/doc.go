// Package rows has the comparisons of rouse with its peers: a file for each, named by what it
// measures. What a row asks of rouse is its Bounds.
//
// Sizes are those of rayon-demo where it has the workload. The sides in other languages are in
// foreign/rust and foreign/tbb, under the same names. Every turn checks what it has computed.
//
// It imports packages pool and sleep, and of this module peers, gopools, foreign, rayondemo and
// measure.
package rows
