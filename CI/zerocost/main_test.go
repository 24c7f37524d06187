package main

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// programEnv makes the test binary the program.
const programEnv = "ROUSE_TEST_ZEROCOST"

func TestMain(m *testing.M) {
	if os.Getenv(programEnv) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}
