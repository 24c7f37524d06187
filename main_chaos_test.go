//go:build chaos

package rouse_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	os.Setenv("ROUSE_RESULTS", "off") // what these tests run is to run each time
	goleak.VerifyTestMain(m)
}
