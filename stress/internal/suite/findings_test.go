package suite

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/report"
)

// timings are what two reports of the same findings differ in.
var timings = regexp.MustCompile(`"(seconds|time)":("[^"]*"|[0-9.e+-]+)`)

// TestSameFindings: what is found in a real module, each trace of it, and each recording's name and command
// do not depend on the number of processes: JSON reports are equal byte for byte, but for timings.
func TestSameFindings(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, queueFiles)
	write(t, dir, map[string]string{"lost/lost_test.go": `package lost

import (
	"fmt"
	"sync"
	"testing"
)

func TestLost(t *testing.T) {` + lostUpdate + `}

func TestSubtests(t *testing.T) {
	for _, name := range []string{"a", "b", "c"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "b" {` + lostUpdate + `}
		})
	}
}

func TestPanics(t *testing.T) {
	c := make(chan int)
	go close(c)
	go func() {
		select {
		case <-c:
			panic("closed")
		default:
		}
	}()
	<-c
}

func TestPasses(t *testing.T) {
	var mu sync.Mutex
	var adders sync.WaitGroup
	for range 3 {
		adders.Go(func() { mu.Lock(); mu.Unlock() })
	}
	adders.Wait()
}

func FuzzLost(f *testing.F) {
	f.Add(1)
	f.Add(2)
	f.Fuzz(func(t *testing.T, seed int) {
		if seed == 2 {` + lostUpdate + `}
	})
}

func Example() {
	var printers sync.WaitGroup
	for i := range 3 {
		printers.Go(func() { fmt.Println(i) })
	}
	printers.Wait()
	// Output:
	// 2
	// 0
	// 1
}

func Example_unordered() {
	var printers sync.WaitGroup
	for i := range 3 {
		printers.Go(func() { fmt.Println(i) })
	}
	printers.Wait()
	// Unordered output:
	// 0
	// 1
	// 2
}
`})
	var first string
	for _, procs := range []int{1, 3} {
		o := real(t, dir, "./...")
		o.Procs, o.Out = procs, "out"
		var text bytes.Buffer
		o.Observers = report.Observers{report.NewJSONLines(&text)}
		r, err := Run(t.Context(), o)
		if err != nil || r.Count(report.TestFailed) != 6 || r.Count(report.TestPassed) != 5 || r.Count(report.TestSkipped) != 1 {
			t.Fatalf("%d failed, %d passed, %d skipped, %v: %+v", r.Count(report.TestFailed), r.Count(report.TestPassed), r.Count(report.TestSkipped), err, r)
		}
		got := timings.ReplaceAllString(text.String(), `"$1":0`)
		for _, x := range r.Tests {
			if x.Status == report.TestPassed && x.Traces == 0 || x.Status == report.TestFailed && x.Recording == "" {
				t.Errorf("no traces, or no recording: %+v", x)
			}
		}
		if first == "" {
			first = got
		} else if got != first {
			t.Errorf("with %d processes\n%s\nand with one\n%s", procs, got, first)
		}
		if err := os.RemoveAll("out"); err != nil {
			t.Fatal(err)
		}
	}
}

// Catches: evidence that counts executions twice if a worker reports progress before the end of a batch.
func TestClaimsCountsNothing(t *testing.T) {
	depths := func(executions int) evidence.Counts {
		return evidence.Counts{
			PCT:          []evidence.Depth{{Depth: 2, Executions: executions, Tasks: 3, Steps: 9, Within: 9}},
			Uncontrolled: []evidence.Cause{{What: "a clock", Times: executions}},
		}
	}
	b := new(batch)
	b.add(wire.Counts{Executions: 2, Evidence: depths(2)})
	last := wire.Answer{Kind: wire.Explored, Counts: wire.Counts{Executions: 3, Evidence: depths(3)}}
	if (&slot{session: &session{}}).claims(b, &last) {
		t.Error("random executions explore all there is")
	}
	b.add(last.Counts)
	if want := depths(5); !reflect.DeepEqual(b.counts.Evidence, want) || b.counts.Executions != 5 {
		t.Errorf("%+v, want %+v", b.counts, want)
	}
}
