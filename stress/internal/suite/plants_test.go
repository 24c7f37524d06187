package suite

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
)

var (
	plants     = flag.Int("plants", 0, "of TestPlants, of each kind at most: each compiles the standard library; 0 is only those that anchors refuse")
	plantsOnly = flag.String("plants-only", "", "TestPlants: `regexp` of the names")
	plantsRace = flag.Bool("plants-race", false, "TestPlants: with the race detector")
)

// A plant is an overlay that does not fit the Go: what a new version of Go might make of the patches.
type plant struct {
	kind, name string
	patches    []goroot.Patch              // nil are the right ones
	change     func(*goroot.Overlay) error // after the overlay is made
}

// A target is a Go for which overlays are planted.
type target struct {
	src     string         // of GOROOT
	patches []goroot.Patch // for its version
	names   []string       // of the patches
	unseen  []string       // names of those that no program has been seen to notice if they are left out
}

func newTarget(t *testing.T, made *goroot.Overlay) *target {
	t.Helper()
	minor := regexp.MustCompile(`^go(\d+\.\d+)`).FindStringSubmatch(made.GoVersion)
	if minor == nil {
		t.Fatalf("the version %q", made.GoVersion)
	}
	g := &target{
		src:     filepath.Join(made.GOROOT, "src"),
		patches: slices.DeleteFunc(goroot.Patches(), func(p goroot.Patch) bool { return !p.For(minor[1]) }),
		names:   goroot.Names(minor[1]),
	}
	var seen []string
	for _, version := range goroot.Versions {
		table, err := os.ReadFile(filepath.Join("../../../chaos/goroot/testdata/omissions", version+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(table)) {
			if row := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); row[0] == "patch" && row[2] != "" && !strings.HasPrefix(row[2], "TestEngine/") {
				seen = append(seen, row[1])
			}
		}
	}
	g.unseen = slices.DeleteFunc(slices.Clone(g.names), func(name string) bool {
		return slices.Contains(seen, name) && !slices.Contains(waitsForReal, name)
	})
	return g
}

// waitsForReal are patches that only a test notices which waits for real time, or which does not end. The self-test
// has none.
var waitsForReal = []string{
	"testing/fuzz.go: (f *F) Fuzz: after t.setOutputWriter()",
	"testing/testing.go: (t *T) Run: after t.setOutputWriter()",
	"runtime/proc.go: main(): before fn := main_main // make an indirect call, as the linker doesn't know the address of the main package when laying down the runtime",
}

// unmoved are patches that do the same where moved has them, and why.
var unmoved = map[string]string{
	"testing/testing.go: (c *common) Fail()":                                   "each test has a parent",
	"runtime/time.go: (t *timer) unlockAndRun: after t.when = next":            "nobody waits for a timer that is in no heap",
	`runtime/time.go: (t *timer) maybeRunChan: after t.trace("maybeRunChan+")`: "the variable is used in the next statement",
}

// with returns the patches with another one, or several, in the place of one.
func (g *target) with(i int, instead ...goroot.Patch) []goroot.Patch {
	return slices.Concat(g.patches[:i], instead, g.patches[i+1:])
}

// declaration returns the lines of the declaration that a patch changes, without blanks around them.
func (g *target) declaration(p goroot.Patch) (lines []string, err error) {
	text, err := os.ReadFile(filepath.Join(g.src, filepath.FromSlash(p.File)))
	for line := range strings.Lines(string(text)) {
		switch {
		case len(lines) > 0 && strings.HasPrefix(line, "}"):
			return lines, err
		case len(lines) > 0 || strings.HasPrefix(line, p.In):
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	return lines, err
}

// moved moves the anchor of a patch to the next statement of the function, if that is one that decides what is done
// after it: elsewhere, a statement may do the same in the next line, and so it may in the body of a loop.
func (g *target) moved(p goroot.Patch) (goroot.Patch, bool) {
	lines, err := g.declaration(p)
	at := 0
	if p.Anchor != "" {
		at = slices.Index(lines, strings.Join(strings.Fields(p.Anchor), " "))
	}
	if err != nil || at < 0 || p.Where != goroot.After || !strings.HasPrefix(p.In, "func") {
		return p, false
	}
	for _, line := range lines[min(at+1, len(lines)):] {
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		p.Anchor = line
		return p, strings.HasSuffix(line, "{") && !strings.HasPrefix(line, "for ") || strings.HasPrefix(line, "return")
	}
	return p, false
}

// planted returns the plants of each kind, that of patches from the list of them.
func (g *target) planted() (all []plant) {
	for i, p := range g.patches {
		add := func(kind string, instead ...goroot.Patch) {
			all = append(all, plant{kind: kind, name: g.names[i], patches: g.with(i, instead...)})
		}
		gone := p
		gone.In = strings.Replace(p.In, "func ", "func x", 1)
		if gone.In != p.In {
			add("anchor renamed", gone)
		}
		seen := !slices.Contains(g.unseen, g.names[i])
		if seen {
			add("left out")
		}
		if p.Where != goroot.Replace && strings.Contains(p.Text, "oint(rouse") {
			add("doubled", p, p)
		}
		if moved, ok := g.moved(p); ok && seen && unmoved[g.names[i]] == "" {
			add("moved", moved)
		}
		if next := (i + 1) % len(g.patches); g.patches[next].File == p.File && g.patches[next].Text != p.Text && seen {
			other := p
			other.Text = g.patches[next].Text
			add("text of the next", other)
		}
	}
	for i, flag := range []string{"all=", "std=", "sync/atomic="} {
		all = append(all, plant{kind: "flag lost", name: fmt.Sprintf("%d, -gcflags=%s", i, flag), change: func(o *goroot.Overlay) error {
			o.Bare = slices.DeleteFunc(o.Bare, func(f string) bool { return strings.HasPrefix(f, "-gcflags="+flag) })
			return nil
		}})
	}
	for i, swap := range [][2]string{{"Load", "Store"}, {"RMW", "Load"}, {"CAS", "RMW"}, {"Store", "Load"}} {
		all = append(all, plant{kind: "wrapper swapped", name: fmt.Sprintf("%d, %s for %s", i, swap[1], swap[0]), change: func(o *goroot.Overlay) error {
			return replaceIn(filepath.Join(o.Dir, "sync", "atomic", "rouse.go"), "rouse.Point(rouse."+swap[0]+",", "rouse.Point(rouse."+swap[1]+",")
		}})
	}
	return all
}

func replaceIn(name, old, with string) error {
	text, err := os.ReadFile(name)
	if err == nil && !strings.Contains(string(text), old) {
		err = fmt.Errorf("%s: no %q", name, old)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(strings.ReplaceAll(string(text), old, with)), 0o666)
}

// few returns n plants of each kind at most, from all of the list.
func few(all []plant, n int) (chosen []plant) {
	kinds := map[string][]plant{}
	for _, p := range all {
		kinds[p.kind] = append(kinds[p.kind], p)
	}
	for _, kind := range []string{"anchor renamed", "left out", "doubled", "moved", "text of the next", "flag lost", "wrapper swapped"} {
		of := kinds[kind]
		k := n
		if kind == "anchor renamed" {
			k = max(n, 3)
		}
		for i := range min(k, len(of)) {
			chosen = append(chosen, of[i*len(of)/min(k, len(of))])
		}
	}
	return chosen
}

// refusal makes the overlay of a plant and tries it. It returns the check that has refused it, and why.
func (p *plant) refusal(t *testing.T, race bool) (check, why string) {
	made, err := goroot.Make(t.Context(), goroot.Options{Cache: t.TempDir(), Patches: p.patches, Race: race})
	if err != nil {
		return "anchors", err.Error()
	}
	if p.change != nil {
		if err := p.change(made); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := selfTest(t.Context(), made, Build{Race: race}, expectedOf(race))
	if err != nil {
		return "build", err.Error()
	}
	if err := compareSelfTest(lines, expectedOf(race)); err != nil {
		return "self-test", err.Error()
	}
	return "", ""
}

// Catches: a version of Go that the patches match in a wrong place, and is taken as one that they fit.
func TestPlants(t *testing.T) {
	made, err := goroot.Make(t.Context(), goroot.Options{})
	if err != nil {
		t.Fatal(err)
	}
	only, err := regexp.Compile(*plantsOnly)
	if err != nil {
		t.Fatal(err)
	}
	all := newTarget(t, made).planted()
	if *plantsOnly != "" {
		all = slices.DeleteFunc(all, func(p plant) bool { return !only.MatchString(p.kind + ": " + p.name) })
	}
	if *plants > 0 {
		t.Setenv("GOCACHE", t.TempDir()) // that of the user would keep each of them
	}
	refused := 0
	chosen := few(all, *plants)
	for _, p := range chosen {
		began := time.Now()
		check, why := p.refusal(t, *plantsRace)
		if check == "" {
			t.Errorf("%s: %s: not refused", p.kind, p.name)
			continue
		}
		refused++
		t.Logf("%s: %s: refused by %s, %.0f s: %.300s", p.kind, p.name, check, time.Since(began).Seconds(), why)
	}
	t.Logf("%d of %d plants are refused", refused, len(chosen))
}
