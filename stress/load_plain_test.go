//go:build !chaos

package stress

import (
	"testing"

	"github.com/rouse-go/rouse"
)

// TestNotChaos: without hook points nothing could be judged.
func TestNotChaos(t *testing.T) {
	if _, err := Load("scenarios.yaml", rouse.Scenarios); err != ErrNotChaos {
		t.Errorf("Load: %v", err)
	}
	if _, err := ReadRecording("testdata/recording.rouse"); err != ErrNotChaos {
		t.Errorf("ReadRecording: %v", err)
	}
}
