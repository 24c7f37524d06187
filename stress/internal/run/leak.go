package run

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"runtime/pprof"
	"strings"
	"time"

	"go.uber.org/goleak"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/stress/subject"
)

// The oracle for goroutines that outlive their execution.

// leakLooks is how many attempts of goleak, half a second each, goroutines get that could run but that
// a busy machine does not schedule.
const leakLooks = 40

var couldRun = regexp.MustCompile(`Goroutine \d+ in state (running|runnable),`)

// leaked returns a finding if there are goroutines that did not exist before.
func leaked(before goleak.Option) []subject.Finding {
	err := find(before)
	for i := 1; i < leakLooks && err != nil && couldRun.MatchString(err.Error()); i++ {
		err = find(before)
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

// deepLooks is how many attempts, 100 ms each, a goroutine gets whose stack is too deep for goleak.
const deepLooks = 20

// find is like goleak.Find, which panics at a stack of more than a hundred frames, because the runtime elides some.
// Such a stack is a deep recursion that is about to end, or one that has leaked.
func find(before goleak.Option) (err error) {
	look := func() (deep bool) {
		defer func() {
			if deep = recover() != nil; deep {
				err = errors.New("one of these, too deep for goleak:\n" + others())
			}
		}()
		err = goleak.Find(before)
		return false
	}
	for i := 1; look() && i < deepLooks; i++ {
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// others lists the goroutines besides the caller, and where each is.
func others() string {
	var b strings.Builder
	text, _ := goroutines.Dump()
	for _, g := range goroutines.Parse(text)[1:] {
		fmt.Fprintf(&b, "goroutine %d [%s] in %s\n", g.ID, g.State, g.Place())
	}
	return b.String()
}

const leakProfile = "goroutineleak"

var leakTotal = regexp.MustCompile(`^goroutineleak profile: total (\d+)`)

// blockedForever returns the total of the runtime's goroutine-leak profile, as a line of an explanation, or
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
