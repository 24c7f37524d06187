//go:build chaos

package seam

import "github.com/rouse-go/rouse/internal/self"

// goroutine returns the number of the calling goroutine.
//
//go:norace
func goroutine() uintptr { return self.G() }
