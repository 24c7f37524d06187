package native

import (
	"os"
	"testing"

	"github.com/rouse-go/rouse/hooks"
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

// Points of the tests, one for each verb.
var (
	atPoint     = hooks.Declare("native/at", "a goroutine passes", hooks.Disturbs)
	notifyPoint = hooks.Declare("native/notify", "a waiter is about to be notified", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	failPoint   = hooks.Declare("native/fail", "a CAS may lose", hooks.Disturbs|hooks.Fails|hooks.SpuriousWakes)
	valuePoint  = hooks.Declare("native/value", "a counter is incremented", hooks.Disturbs|hooks.Rolls)
)
