// Package groups runs goroutines together. Without the tag fixed its components have the defects of
// broken.go; with it, those of fixed.go.
package groups
