//go:build !linux

package burst_test

import (
	"errors"
	"testing"

	"github.com/rouse-go/rouse/pool/burst"
)

func TestThereAreNoThreadReceivers(t *testing.T) {
	s := burst.NewSender[int]()
	if r, err := s.NewThreadReceiver(); r != nil || !errors.Is(err, errors.ErrUnsupported) || s.Receivers() != 0 {
		t.Errorf("%v, %v, %d receivers", r, err, s.Receivers())
	}
}
