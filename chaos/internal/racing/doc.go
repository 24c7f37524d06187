// Package racing keeps an engine's own doings out of the race detector's idea of who
// synchronises with whom, and tells it of what no real operation shows it. Without
// the detector its functions are nothing.
//
// It imports the standard library only. The engines under chaos import it.
package racing
