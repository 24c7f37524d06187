// Package caches shares values by atomic operations and by sync.Map. Without the tag fixed its
// components have the defects of broken.go; with it, those of fixed.go.
package caches
