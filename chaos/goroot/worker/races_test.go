package worker

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const raceReport = `==================
WARNING: DATA RACE
Read at 0x00c0000180f8 by goroutine 8:
  runtime.mapaccess1()
      /go/src/runtime/map.go:9 +0x33
  example.com/queue.(*Queue).Len()
      /home/me/queue/queue.go:31 +0x33

Previous atomic write at 0x00c0000180f8 by main goroutine:
  example.com/queue.TestLen.func1()
      /home/me/queue/queue_test.go:10 +0x138
  main.main()
      /home/me/queue/queue_test.go:14 +0x38

Goroutine 8 (running) created at:
  main.one()
      /home/me/queue/queue.go:9 +0x11c
==================
`

func TestSummarizeRace(t *testing.T) {
	want := "data race: read in queue.(*Queue).Len (queue.go:31), atomic write in queue.TestLen.func1 (queue_test.go:10)"
	if got := summarizeRace(raceReport); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for _, text := range []string{"", "WARNING: DATA RACE\n", raceReport[:strings.Index(raceReport, "Previous")]} {
		if got := summarizeRace(text); got != "" {
			t.Errorf("%q: %s, want nothing", text, got)
		}
	}
	named := strings.NewReplacer("example.com/queue.(", "internal/queue.(", "/home/me/queue/queue.go:31", "/home/me/internal/queue/queue.go:31").Replace(raceReport)
	if got := summarizeRace(named); got != want {
		t.Errorf("of a module internal/queue: %s\nwant %s", got, want)
	}
	within := strings.NewReplacer("runtime.mapaccess1()", "internal/runtime/maps.(*Map).get()", "/go/src/runtime/map.go", "/go/src/internal/runtime/maps/map.go").Replace(raceReport)
	if got := summarizeRace(within); got != want {
		t.Errorf("of the standard library: %s\nwant %s", got, want)
	}
	cut := raceReport[:strings.Index(raceReport, "  example.com/queue.TestLen")]
	if got := summarizeRace(cut); !strings.HasSuffix(got, "atomic write in an unknown place") {
		t.Errorf("of a torn report: %s", got)
	}
}

// Each execution gets what the detector has written since the one before.
func TestRaceLog(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log.1")
	r := &races{log: name}
	if text := r.read(); text != "" {
		t.Errorf("%q of no file", text)
	}
	for _, want := range []string{"first", "second"} {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString(want); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got := r.read(); got != want {
			t.Errorf("read %q, want %q", got, want)
		}
	}
}
