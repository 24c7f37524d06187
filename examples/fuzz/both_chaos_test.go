//go:build chaos

package fuzz

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/internal/faketest"
)

// TestNeedsBoth: each defect needs an input and a schedule. Other inputs pass under a thousand schedules, and
// the input passes where nothing is preempted.
func TestNeedsBoth(t *testing.T) {
	for name, d := range map[string]struct {
		body, harmless func(c *chaos.C)
		schedule       []byte
		want           string
	}{
		"FuzzBatch": {addBoth([]byte{0xff}, []byte{0x30}), addBoth([]byte{0x40}, []byte("bcdef")), []byte{0, 1, 0, 0, 1, 1},
			"wrong-result in the schedule of the input: 1 of 2 values were handed out"},
		"FuzzGate": {leaveAndWait(1, 2), leaveAndWait(3, 1), []byte{0, 1, 0, 0, 0, 2},
			"leak in the schedule of the input: the body has returned, but main/2 waits to be woken"},
		"FuzzAccounts": {transferAll([]byte{0, 1, 0xf0, 1, 0, 10}), transferAll([]byte{0, 1, 10, 1, 0, 10}), []byte{0, 1, 1, 1, 0, 0, 0, 1},
			"leak in the schedule of the input: the body has returned, but main/0 waits for a lock"},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(body func(c *chaos.C), options ...chaos.Option) *faketest.Test {
				return faketest.Run(t.Name(), func(t *faketest.Test) { chaos.Explore(t, body, options...) })
			}
			if got := run(d.body, chaos.WithSchedule(d.schedule)); !strings.Contains(got.Log, d.want) {
				t.Errorf("with both:\n%s", got.Log)
			}
			if got := run(d.body, chaos.WithSchedule(nil)); got.Failed() {
				t.Errorf("without the schedule:\n%s", got.Log)
			}
			if got := run(d.harmless); got.Failed() {
				t.Errorf("without the input:\n%s", got.Log)
			}
		})
	}
}
