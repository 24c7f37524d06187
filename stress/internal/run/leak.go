package run

import (
	"bytes"
	"fmt"
	"regexp"
	"runtime/pprof"
	"strings"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/subject"
)

// The oracle of goroutines that outlive what they serve.

// leakLooks of goleak, half a second each, are left to goroutines that could run but that a busy
// machine does not schedule.
const leakLooks = 40

var couldRun = regexp.MustCompile(`Goroutine \d+ in state (running|runnable),`)

// leaked returns a finding if there are goroutines that were not there before.
func leaked(before goleak.Option) []subject.Finding {
	err := goleak.Find(before)
	for i := 1; i < leakLooks && err != nil && couldRun.MatchString(err.Error()); i++ {
		err = goleak.Find(before)
	}
	if err == nil {
		return nil
	}
	summary := "goroutines outlived the execution: " + err.Error()
	if blocked := blockedForever(); blocked != "" {
		summary = strings.TrimRight(summary, "\n") + "\n" + blocked
	}
	return []subject.Finding{{Verdict: verdict.Leak, Summary: summary}}
}

const leakProfile = "goroutineleak"

var leakTotal = regexp.MustCompile(`^goroutineleak profile: total (\d+)`)

// blockedForever is the total of the runtime's goroutine-leak profile, as a line of an explanation, or
// "" if the binary has no such profile. It takes a garbage collection.
func blockedForever() string {
	p := pprof.Lookup(leakProfile)
	if p == nil {
		return ""
	}
	var b bytes.Buffer
	if p.WriteTo(&b, 1) != nil {
		return ""
	}
	total := leakTotal.FindSubmatch(b.Bytes())
	if total == nil {
		return ""
	}
	return fmt.Sprintf("runtime       by its goroutine-leak profile, nothing can wake %s of the process any more", total[1])
}
