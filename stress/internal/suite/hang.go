package suite

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/goroutines"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A hang describes what a process without progress was doing, according to the dump of its goroutines.
type hang struct {
	at     string // in words: "a system call at f (file:line)"; "" if unknown
	report string // the goroutines with user code, the likeliest cause first
}

// report returns the report for people on the end of a worker: the output before its goroutines, unless it was
// ended because it hung, and the goroutines with user code.
func (d *death) report() string {
	h := hangOf(d.output)
	if at := strings.Index(d.output, "goroutine "); !d.hangs && at > 0 && h.report != d.output {
		return d.output[:at] + h.report
	}
	return h.report
}

// outside lists the states of goroutines that control does not see, with their meaning in words, the likeliest
// cause of a hang first. A task that does not have its turn is runnable.
var outside = []struct{ state, means string }{
	{"running", "a loop"},
	{"syscall", "a system call"},
	{"IO wait", "a wait for input or output"},
	{"runnable", "a loop"},
}

// mostHung is the maximum number of different stacks in a report.
const mostHung = 20

// A hung is a goroutine of the dump with user code, or several that are at the same place.
type hung struct {
	goroutines.Goroutine
	call   string // function of the standard library that its code called last; "" if none
	frames []goroutines.Frame
	rank   int // index in outside
	n      int
}

// hangOf parses a dump. If the text has no goroutines with user code, the report is the text itself.
func hangOf(dump string) hang {
	all := hungIn(dump)
	if len(all) == 0 {
		return hang{report: dump}
	}
	var h hang
	if first := all[0]; first.rank < len(outside) && len(first.frames) > 0 {
		h.at = outside[first.rank].means + " at " + placeOf(first.frames[0])
	}
	var b strings.Builder
	for i, g := range all {
		if i == mostHung {
			rest := 0
			for _, g := range all[i:] {
				rest += g.n
			}
			fmt.Fprintf(&b, "%s more\n", prose.Plural(rest, "goroutine"))
			break
		}
		b.WriteString(g.String())
	}
	h.report = strings.TrimRight(b.String(), "\n")
	return h
}

// hungIn returns the goroutines of a dump with user code, the likeliest cause of a hang first.
func hungIn(dump string) (all []*hung) {
	std := standard(dump)
	for _, g := range goroutines.Parse(dump) {
		if g.OfRuntime() {
			continue
		}
		h := &hung{Goroutine: g, n: 1}
		for f := range g.Frames() {
			switch {
			case !isLibrary(f, std):
				h.frames = append(h.frames, f)
			case len(h.frames) == 0 && !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, "internal/"):
				h.call = f.Function
			}
		}
		if len(h.frames) == 0 {
			continue
		}
		if h.rank = slices.IndexFunc(outside, func(o struct{ state, means string }) bool { return o.state == g.State }); h.rank < 0 {
			h.rank = len(outside)
		}
		same := func(other *hung) bool { return other.State == g.State && slices.Equal(other.frames, h.frames) }
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].n++
		} else {
			all = append(all, h)
		}
	}
	slices.SortStableFunc(all, func(a, b *hung) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

func (h *hung) String() string {
	var b strings.Builder
	if h.n == 1 {
		fmt.Fprintf(&b, "goroutine %d [%s]", h.ID, h.State)
	} else {
		fmt.Fprintf(&b, "%d goroutines [%s]", h.n, h.State)
	}
	if h.call != "" {
		b.WriteString(" in " + h.call)
	}
	b.WriteString(":\n")
	for _, f := range h.frames {
		b.WriteString("    " + placeOf(f) + "\n")
	}
	return b.String()
}

// placeOf formats a frame for people: the function without the path of its package, and the file.
func placeOf(f goroutines.Frame) string {
	file := f.File
	if at := strings.LastIndexByte(file, ':'); at >= 0 {
		file = prose.Relative(file[:at]) + file[at:]
	}
	return goroutines.Short(f.Function) + " (" + file + ")"
}

// isLibrary reports whether a frame is in the standard library or in generated code. std is the folder of the
// standard library, or "" if it is not known.
func isLibrary(f goroutines.Frame, std string) bool {
	if std != "" {
		return strings.HasPrefix(f.File, std) || !filepath.IsAbs(f.File)
	}
	first, _, nested := strings.Cut(f.File, "/") // built with -trimpath
	return !nested || !strings.Contains(first, ".")
}

var runtimeFile = regexp.MustCompile(`(?m)^\t(.*/)runtime/\w+\.go:\d+`)

// standard returns the folder of the standard library in a dump, or "" if the dump does not have it.
func standard(dump string) string {
	if m := runtimeFile.FindStringSubmatch(dump); m != nil {
		return m[1]
	}
	return ""
}
