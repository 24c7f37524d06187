//go:build !race

package native

// hide does nothing where there is no race detector to hide from.
func hide() {}

// show does nothing.
func show() {}
