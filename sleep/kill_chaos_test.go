//go:build chaos

package sleep

import (
	"flag"
	"os"
	"testing"

	"github.com/rouse-go/rouse/stress/mutants/kill"
)

var killing = kill.Flags(flag.CommandLine)

// What `stress mutants` runs around each mutant. Without its flags: this package, as
// it ships, survives.
func TestKill(t *testing.T) {
	kill.Programs{
		"protocol":   killer{workers: 2, jobs: 2, jec: 1}.program,
		"lock-latch": lockLatch,
		"spin-latch": spinLatch,
	}.Test(t, killing, os.Stdout,
		"protocol meet=2",
		"protocol jobs=3 meet=2 jec=2",
		"protocol jobs=1 leaver",
		"protocol internal meet=2 jec=8",
		"protocol audits=2",
		"protocol tickle workers=1 jobs=1",
		"protocol tickle meet=2",
		"protocol tickle jobs=1 leaver",
		"protocol tickle internal meet=2",
		"lock-latch",
		"spin-latch",
	)
}
