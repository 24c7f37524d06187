// Package timers ends things in time, and once. Without the tag fixed its components have the
// defects of broken.go; with it, those of fixed.go.
package timers
