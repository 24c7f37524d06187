package hooked

import (
	"iter"
	"path"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/core"
	"github.com/rouse-go/rouse/internal/goroutines"
)

// A goroutine is an entry of a dump.
type goroutine struct {
	goroutines.Goroutine
	parent        uint64 // the goroutine that started it; 0 is the runtime
	creator, site string // the function that holds the go statement, its file and line; "" if there is none
}

// timerCallback starts the callbacks of timers, on behalf of any goroutine.
const timerCallback = "time.goFunc"

// A dump holds all goroutines, by number.
type dump map[uint64]goroutine

// ownGoroutine returns the calling goroutine, without the innermost frames of the engine.
func ownGoroutine() goroutine {
	g := withCreator(goroutines.Own())
	for isMachinery(g.Stack) {
		_, g.Stack, _ = strings.Cut(g.Stack, "\n")
		_, g.Stack, _ = strings.Cut(g.Stack, "\n")
	}
	return g
}

// isMachinery reports whether a stack begins with a frame of the engine.
func isMachinery(stack string) bool {
	return core.OfMachinery(stack) || strings.HasPrefix(stack, core.ModulePath+"internal/goroutines.")
}

// allGoroutines returns all goroutines. It stops the world for a moment.
func allGoroutines() dump {
	text, _ := goroutines.Dump()
	all := make(dump)
	for _, g := range goroutines.Parse(text) {
		all[g.ID] = withCreator(g)
	}
	return all
}

func withCreator(g goroutines.Goroutine) goroutine {
	by, parent := g.Creator()
	if by.Function == timerCallback {
		parent = 0
	}
	return goroutine{g, parent, by.Function, by.Place()}
}

// inDropIn returns the folder of the drop-in that a file of a dump is in, or "": the closures of
// a function that was inlined have the name of its caller.
func inDropIn(file string) string {
	file, _, _ = strings.Cut(file, ":")
	dir := path.Dir(file)
	if !strings.HasSuffix(file, "_chaos.go") || path.Base(path.Dir(dir)) != "hooks" {
		return ""
	}
	return "hooks/" + path.Base(dir)
}

// frames yields the frames of a stack. A closure of a drop-in is a function of its package,
// without a name.
func (g goroutine) frames() iter.Seq[goroutines.Frame] {
	return func(yield func(goroutines.Frame) bool) {
		for f := range g.Frames() {
			if dir := inDropIn(f.File); dir != "" && !core.OfEngine(f.Function) {
				f.Function = core.ModulePath + dir
			}
			if !yield(f) {
				return
			}
		}
	}
}

// call returns the outermost function of the hooks that the goroutine is in, and the place that it
// is called from.
func (g goroutine) call() (called, place string) {
	called = "a hook"
	for f := range g.frames() {
		if !core.OfEngine(f.Function) {
			return called, f.String()
		}
		if i := strings.Index(f.Function, "/hooks"); i >= 0 {
			if named := strings.Contains(f.Function[i+1:], "."); named || called == "a hook" {
				called = f.Function[i+1:]
			}
		} else if strings.Contains(f.Function, "/chaos.(*C).") {
			called = goroutines.Short(f.Function)
		}
	}
	return called, "the runtime"
}

// subjectStack lists the frames of the subject.
func (g goroutine) subjectStack() string {
	var b strings.Builder
	for f := range g.frames() {
		if !core.OfEngine(f.Function) {
			b.WriteString("    " + f.Function + " (" + f.Place() + ")\n")
		}
	}
	if g.creator != "" {
		b.WriteString("    started in " + g.creator + " (" + g.site + ")\n")
	}
	return b.String()
}

// origin returns how the goroutine came about, and what to do instead.
func (g goroutine) origin() (origin, advice string) {
	switch {
	case g.creator == timerCallback:
		return "the callback of a timer of the standard library", "make the timer, or the context whose deadline it is, with package hooks/time or hooks/context"
	case g.ID == 1:
		return "the main goroutine", "call it from the body of the execution"
	case g.parent == 0 || strings.HasPrefix(g.creator, "runtime."):
		return "a finalizer, a cleanup or another callback of the runtime", "call no hook there"
	}
	return "a goroutine that is not a task, started in " + path.Base(g.creator) + " (" + g.site + "),",
		"start it inside the execution, by go hooks.Task(f)(), C.Go or a drop-in of package hooks"
}

// has reports whether the goroutine has a frame of a function of this package.
func (g goroutine) has(function string) bool {
	return strings.Contains("\n"+g.Stack, "\n"+ofHooked+function+"(")
}

// isHost reports whether the goroutine runs tasks, or replaces one (nothing). One that has not begun to
// run has no frame of a host yet; its creator identifies it.
func (g goroutine) isHost() bool {
	return strings.Contains("\n"+g.Stack, "\n"+ofHooked+"(*host).") || g.creator == ofHooked+"(*Tasks).startOwnHost" || g.has("nothing")
}

// isRoot reports whether the goroutine runs executions.
func (g goroutine) isRoot() bool {
	return strings.Contains(g.Stack, core.ModulePath+"chaos/internal/core.(*Engine).Run(")
}

func (g goroutine) isTest() bool { return strings.HasPrefix(g.creator, "testing.") }

// busy reports whether it may do something soon without being woken by others.
func (g goroutine) busy() bool {
	if g.waitsOutside() {
		return false
	}
	switch g.State {
	case "running", "runnable", "sleep", "syscall", "waiting":
		return true
	}
	return false
}

// waitsOutside reports whether it waits in AwaitOutside.
func (g goroutine) waitsOutside() bool { return g.has("(*Tasks).AwaitOutside") }

// bystander reports whether the goroutine belongs to a test other than the one whose execution is
// in progress, or may be the callback of a timer of such a test. earlier are the goroutines from
// before the engine: creators among them may have ended. Where a chain of creators is broken after
// that, the goroutine is not a bystander: its creator may have been a task.
func (all dump) bystander(g goroutine, earlier dump) bool {
	ancestors := all.rootChain()
	if g.creator == timerCallback { // the owner of the timer is not known
		return all.otherTestsRun(ancestors)
	}
	for {
		if g.isHost() || ancestors[g.ID] || g.parent == 0 {
			return false
		}
		parent, known := all[g.parent]
		if g.isTest() {
			return !known || !parent.isHost() && !parent.isRoot()
		}
		if !known {
			parent, known = earlier[g.parent]
		}
		if !known {
			_, known = earlier[g.ID]
			return known
		}
		g = parent
	}
}

// otherTestsRun reports whether a test runs, other than those around root.
func (all dump) otherTestsRun(ancestors map[uint64]bool) bool {
	for _, g := range all {
		waits := strings.Contains(g.Stack, "testing.(*T).Parallel(") || strings.Contains(g.Stack, "testing.(*T).Run(") ||
			strings.Contains(g.Stack, "chaos/internal/turns.Take(")
		if g.isTest() && !waits && !ancestors[g.ID] {
			return true
		}
	}
	return false
}

// rootChain returns the goroutine that runs executions and the tests around it.
func (all dump) rootChain() map[uint64]bool {
	chain := make(map[uint64]bool)
	for _, g := range all {
		for lives := g.isRoot(); lives; g, lives = all[g.parent] {
			chain[g.ID] = true
			if !g.isTest() && !g.isRoot() {
				break
			}
		}
	}
	return chain
}

// outside returns the goroutines that tasks have started, or goroutines among known, and that are
// neither tasks themselves nor the coroutines of an iterator.
func (all dump) outside(known map[uint64]int) []goroutine {
	var found []goroutine
	for _, g := range all {
		if !g.isHost() && !g.isRoot() && !strings.HasPrefix(g.creator, "iter.") && all.descends(g, known) {
			found = append(found, g)
		}
	}
	return found
}

// descends reports whether a task, or a goroutine among known, is among the creators of g.
func (all dump) descends(g goroutine, known map[uint64]int) bool {
	for lives := true; lives; g, lives = all[g.parent] {
		_, self := known[g.ID]
		_, parent := known[g.parent]
		if g.isHost() || self || parent {
			return true
		}
		if g.isRoot() {
			return false
		}
	}
	return false
}

// Blocked finds the goroutine that runs a task and is not parked by the engine. At the moment
// there may be none.
func (*Tasks) Blocked() (g goroutines.Goroutine, found bool) {
	text, _ := goroutines.Dump()
	for _, g := range goroutines.Parse(text) {
		if strings.Contains(g.Stack, ofHooked+"(*host).run") && !parked(g) {
			return g, true
		}
	}
	return goroutines.Goroutine{}, false
}

// ofHooked begins the names of the functions of this package.
const ofHooked = core.ModulePath + "chaos/internal/hooked."

// parked reports whether the engine has parked the goroutine. (A task that unwinds has turn on its
// stack, too, and runs.)
func parked(g goroutines.Goroutine) bool {
	for _, f := range []string{"(*coroutines).swap", "channels.swap", "channels.await"} {
		if strings.Contains(g.Stack, ofHooked+f) {
			return true
		}
	}
	return g.State == "coroutine" && strings.Contains(g.Stack, ofHooked+"(*Tasks).turn")
}
