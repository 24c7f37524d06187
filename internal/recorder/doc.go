// Package recorder is an engine for tests of the drop-ins: it records which hook
// point is passed, and does there what the test asks for.
//
// It imports the standard library and internal/seam. Only tests import it.
package recorder
