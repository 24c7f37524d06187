package selftest

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"runtime/trace"
	"testing"
)

// noted reports an execution that has asked for what is known to be real, or to belong to the whole process, and of
// which that is not noted. A failure of such an execution is none of the test's.
func noted(t *testing.T) {
	t.Helper()
	what, _ := runtime.RouseLack()
	if what == "" {
		t.Error("it is not noted")
	}
	shows(uint64(len(what)))
}

func TestKnownMemory(t *testing.T) {
	runtime.ReadMemStats(new(runtime.MemStats))
	noted(t)
}

func TestKnownMetrics(t *testing.T) {
	metrics.Read([]metrics.Sample{{Name: "/memory/classes/total:bytes"}})
	noted(t)
}

func TestKnownCollections(t *testing.T) {
	debug.ReadGCStats(new(debug.GCStats))
	noted(t)
}

func TestKnownPercent(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	noted(t)
}

func TestKnownRecords(t *testing.T) {
	runtime.MemProfile(nil, true)
	noted(t)
}

// The first profile of a process takes more steps, by what is mapped.
func init() { pprof.Lookup("mutex").WriteTo(new(bytes.Buffer), 1) }

func TestKnownProfile(t *testing.T) {
	pprof.Lookup("mutex").WriteTo(new(bytes.Buffer), 1)
	noted(t)
}

func TestKnownProfileCount(t *testing.T) {
	pprof.Lookup("heap").Count()
	noted(t)
}

func TestKnownFileTime(t *testing.T) {
	info, err := os.Stat(".")
	if err != nil {
		t.Fatal(err)
	}
	info.ModTime()
	noted(t)
}

func TestKnownFileStatus(t *testing.T) {
	info, err := os.Stat(".")
	if err != nil {
		t.Fatal(err)
	}
	info.Sys()
	noted(t)
}

func TestTrace(t *testing.T) {
	if err := trace.Start(io.Discard); err != nil {
		t.Fatal(err)
	}
	go shows(1)
	trace.Stop()
}

// What an execution does that may go otherwise when it is repeated is counted.
func TestSources(t *testing.T) {
	os.Getpid()
	os.Getppid()
	os.Stat(".")
	m := map[*int]int{}
	for i := range 9 {
		m[new(int)] = i
	}
	for range m {
	}
	for _, source := range runtime.RouseSources() {
		shows(uint64(len(source.What)))
		shows(uint64(source.Count))
	}
}
