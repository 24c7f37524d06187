package example

import (
	"testing"

	"github.com/go-co-op/gocron/v2"
)

// A second Shutdown has nothing to do.
func TestShutdownTwice(t *testing.T) {
	s, err := gocron.NewScheduler()
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	for range 2 {
		if err := s.Shutdown(); err != nil {
			t.Error(err)
		}
	}
}
