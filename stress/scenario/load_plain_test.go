//go:build !chaos

package scenario

import (
	"testing"

	"github.com/rouse-go/rouse/internal/yamltree"
)

// TestNotChaos: without hook points nothing could be judged.
func TestNotChaos(t *testing.T) {
	if _, err := Default(testSubjects...); err != ErrNotChaos {
		t.Errorf("Load: %v", err)
	}
	if _, err := One(yamltree.Source{File: "r", Text: []byte("[]")}, testSubjects...); err != ErrNotChaos {
		t.Errorf("One: %v", err)
	}
}
