// Package recorder is an engine for tests of the drop-ins: it writes down which hook
// point is passed, and does at it what the test asks for.
//
// It imports the standard library and internal/seam. Only tests import it.
package recorder
