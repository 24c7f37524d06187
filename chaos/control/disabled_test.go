//go:build !chaos

package control

import (
	"errors"
	"testing"
)

func TestNothingIsControlledWithoutTheTag(t *testing.T) {
	if _, err := New(Options{}); !errors.Is(err, errNotChaos) {
		t.Errorf("got %v, want errNotChaos", err)
	}
}
