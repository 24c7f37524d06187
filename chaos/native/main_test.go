package native

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// programVar names the program that this binary is to run instead of its tests,
// in a process of its own: see invisible_test.go.
const programVar = "ROUSE_NATIVE_PROGRAM"

// programs that tests run in a process of their own.
var programs = map[string]func(){}

func TestMain(m *testing.M) {
	if name := os.Getenv(programVar); name != "" {
		programs[name]()
		return
	}
	goleak.VerifyTestMain(m)
}
