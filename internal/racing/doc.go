// Package racing hides the work of an engine from the race detector, and reports edges to it that no
// real operation creates. Without the detector its functions do nothing.
//
// It imports the standard library only. The engines under chaos import it, and tests for Detector.
package racing
