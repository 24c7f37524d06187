package suite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/stress/internal/outcome"
)

var goroutineLine = regexp.MustCompile(`(?m)^goroutine \d+ .*?\[([^\],:]+)[^\]]*\]:$`)

// outside are the states of goroutines that control does not see, the likeliest first, in words.
var outside = []struct{ state, means string }{
	{"syscall", "a system call"},
	{"IO wait", "a wait for input or output"},
	{"running", "a loop"},
	{"runnable", "a loop"},
}

// hangsAt says what a process was likely in, by the dump of its goroutines; "" if that is not known.
func hangsAt(dump string) string {
	best, text, std := len(outside), "", standard(dump)
	starts := goroutineLine.FindAllStringSubmatchIndex(dump, -1)
	for i, at := range starts {
		state := dump[at[2]:at[3]]
		rank := slices.IndexFunc(outside, func(o struct{ state, means string }) bool { return o.state == state })
		if rank < 0 || rank >= best {
			continue
		}
		end := len(dump)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		for _, f := range outcome.Frames(dump[at[1]:end], 1<<10) {
			if std == "" || !strings.Contains(f, "("+std) {
				best, text = rank, outside[rank].means+" at "+f
				break
			}
		}
	}
	return text
}

var runtimeFile = regexp.MustCompile(`(?m)^\t(.*/)runtime/\w+\.go:\d+`)

// standard is the folder of the standard library in a dump; "" if it is not in it.
func standard(dump string) string {
	if m := runtimeFile.FindStringSubmatch(dump); m != nil {
		return m[1]
	}
	return ""
}
