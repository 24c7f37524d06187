package remote

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(curlEnv) != "" {
		os.Exit(curl(os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}
