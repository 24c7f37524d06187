package worker

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/internal/racing"
)

// races reads what the race detector reports.
type races struct {
	log    string // the path of its file; "" if it writes to the standard error stream
	errors int    // that have been taken
	offset int64  // up to which the file has been read
}

// A race is what the detector has reported of one execution.
type race struct {
	summary, text string
	earlier       int // races that had been reported before
}

// newRaces returns the races that are yet to come, given wire.Setup.RaceLog.
func newRaces(log string) *races {
	r := new(races)
	if log != "" {
		r.log = fmt.Sprintf("%s.%d", log, os.Getpid())
	}
	r.take()
	return r
}

// take returns what has been reported since the last time, and whether that is anything.
func (r *races) take() (race, bool) {
	n := racing.Errors()
	if n == r.errors {
		return race{}, false
	}
	earlier := r.errors
	r.errors = n
	text := r.read()
	return race{cmp.Or(summarizeRace(text), "the race detector reported a data race"), cmp.Or(text, "the race detector has written its report to the standard error stream\n"), earlier}, true
}

// mostRace bounds the report of one execution, in bytes.
const mostRace = 64 << 10

func (r *races) read() string {
	if r.log == "" {
		return ""
	}
	f, err := os.Open(r.log)
	if err != nil {
		return ""
	}
	defer f.Close()
	text := make([]byte, mostRace)
	n, _ := f.ReadAt(text, r.offset)
	if info, err := f.Stat(); err == nil {
		r.offset = info.Size()
	}
	return string(text[:n])
}

// summarizeRace names, in one line, the two accesses of the first report; "" if it finds none.
func summarizeRace(text string) string {
	var accesses []string
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		what, _, ok := strings.Cut(line, " at 0x")
		if !ok || !strings.HasSuffix(line, ":") || strings.HasPrefix(line, " ") {
			continue
		}
		what = strings.ToLower(strings.TrimPrefix(what, "Previous "))
		accesses = append(accesses, what+" in "+firstFrame(lines[i+1:]))
		if len(accesses) == 2 {
			return "data race: " + strings.Join(accesses, ", ")
		}
	}
	return ""
}

// firstFrame returns the innermost frame of a stack that is not the runtime's.
func firstFrame(lines []string) string {
	frame := "an unknown place"
	for i := 0; i+1 < len(lines) && strings.HasPrefix(lines[i], "  "); i += 2 {
		at, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		f := goroutines.Frame{Function: strings.TrimSuffix(strings.TrimSpace(lines[i]), "()"), File: at}
		if frame = f.String(); !f.Internal() {
			break
		}
	}
	return frame
}
