package suite

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var hungHead = regexp.MustCompile(`(?m)^(?:goroutine \d+|(\d+) goroutines) \[`)

// Catches: goroutines of a dump that are lost or counted twice, a report that is too long, and a cause that it does not
// show.
func FuzzHangOf(f *testing.F) {
	many := hangDump
	for n := range 30 {
		many += fmt.Sprintf(waiter, 16+n, 100+n)
	}
	for _, dump := range []string{
		hangDump, many, strings.NewReplacer("/go/src/", "", "\t/src/", "\texample.com/shop/").Replace(hangDump), "Killed", "",
		"goroutine 1 [running]:\nmain.f()\n\tx", "goroutine 1 [running]:\n/()\n\t/a:1\n\ngoroutine 1 [running]:\n/()\n\t/a:1\n", "goroutine 1 []:\nm.f()\n\t:\n",
	} {
		f.Add(dump)
	}
	f.Fuzz(func(t *testing.T, dump string) {
		all, h := hungIn(dump), hangOf(dump)
		if len(all) == 0 {
			if h.report != dump || h.at != "" {
				t.Fatalf("%q is no dump, and is shown as %q, %q", dump, h.at, h.report)
			}
			return
		}
		want, shown := 0, 0
		for i, g := range all {
			if want += g.n; i < mostHung {
				shown += g.n
			}
			if i > 0 && g.rank < all[i-1].rank {
				t.Fatalf("%q: %v is shown after %v", dump, g, all[i-1])
			}
		}
		got := 0
		for _, m := range hungHead.FindAllStringSubmatch(h.report, -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				n = 1
			}
			got += n
		}
		if got != shown || strings.HasSuffix(h.report, " more") != (want > shown) {
			t.Fatalf("%q: the report has %d goroutines, want %d of %d:\n%s", dump, got, shown, want, h.report)
		}
		if _, place, is := strings.Cut(h.at, " at "); strings.Contains(h.at, "\n") || is && !strings.Contains(h.report, place) {
			t.Fatalf("%q: the cause %q is not in\n%s", dump, h.at, h.report)
		}
		if text := (&death{output: dump}).report(); !strings.HasSuffix(text, h.report) {
			t.Fatalf("%q is reported as %q, want the end %q", dump, text, h.report)
		}
	})
}
