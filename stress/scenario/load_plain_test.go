//go:build !chaos

package scenario

import (
	"testing"
)

// TestNotChaos: without hook points nothing could be judged.
func TestNotChaos(t *testing.T) {
	if _, err := Default(testSubjects...); err != ErrNotChaos {
		t.Errorf("Load: %v", err)
	}
	if _, err := ReadRecording("testdata/recording.rouse", testSubjects...); err != ErrNotChaos {
		t.Errorf("ReadRecording: %v", err)
	}
}
