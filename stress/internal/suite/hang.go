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

// A hang is what a process was doing that made no progress, as the dump of its goroutines shows.
type hang struct {
	at     string // in words: "a system call at f (file:line)"; "" is unknown
	report string // the goroutines with code of the user, the likeliest cause first
}

// report is what people read of the end of a worker: what it printed before its goroutines, unless it was
// ended because it hung, and those with code of the user.
func (d *death) report() string {
	h := hangOf(d.output)
	if at := strings.Index(d.output, "goroutine "); !d.hangs && at > 0 && h.report != d.output {
		return d.output[:at] + h.report
	}
	return h.report
}

// outside are the states of goroutines that control does not see, the likeliest cause of a hang first,
// in words. A task that does not have its turn is runnable.
var outside = []struct{ state, means string }{
	{"running", "a loop"},
	{"syscall", "a system call"},
	{"IO wait", "a wait for input or output"},
	{"runnable", "a loop"},
}

// mostHung is how many different stacks a report has.
const mostHung = 20

// A hung goroutine is one of the dump with code of the user, or several that stand at the same place.
type hung struct {
	goroutines.Goroutine
	call   string // of the standard library, by the innermost frame; "" is none
	frames []goroutines.Frame
	rank   int // in outside
	n      int
}

// hangOf reads a dump. With a text that is none, that is the report.
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

// hungIn returns the goroutines of a dump with code of the user, the likeliest cause of a hang first.
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

// placeOf is a frame as people read it: the function without the path of its package, and the file.
func placeOf(f goroutines.Frame) string {
	file := f.File
	if at := strings.LastIndexByte(file, ':'); at >= 0 {
		file = prose.Relative(file[:at]) + file[at:]
	}
	return goroutines.Short(f.Function) + " (" + file + ")"
}

// isLibrary reports whether a frame is of the standard library, whose folder is std if that is known, or
// was generated.
func isLibrary(f goroutines.Frame, std string) bool {
	if std != "" {
		return strings.HasPrefix(f.File, std) || !filepath.IsAbs(f.File)
	}
	first, _, nested := strings.Cut(f.File, "/") // built with -trimpath
	return !nested || !strings.Contains(first, ".")
}

var runtimeFile = regexp.MustCompile(`(?m)^\t(.*/)runtime/\w+\.go:\d+`)

// standard is the folder of the standard library in a dump; "" if it is not in it.
func standard(dump string) string {
	if m := runtimeFile.FindStringSubmatch(dump); m != nil {
		return m[1]
	}
	return ""
}
