package control

import (
	"path"
	"runtime"
	"strconv"
	"strings"
)

// A goroutine is an entry of a stack dump.
type goroutine struct {
	id, parent uint64 // parent started it; 0 is the runtime
	state      string // "chan receive"
	text       string // its stack, innermost frame first, two lines for each
	creator    string // the function that holds the go statement; "" if there is none
	site       string // and its file and line
}

// timerCallback starts the callbacks of timers, on behalf of any goroutine.
const timerCallback = "time.goFunc"

// A dump is all goroutines, by number.
type dump map[uint64]goroutine

// ownGoroutine is the calling one, without the innermost frames of this package.
func ownGoroutine() goroutine {
	g := parseGoroutine(stackText(4<<10, false))
	for strings.HasPrefix(g.text, ofControl) {
		_, g.text, _ = strings.Cut(g.text, "\n")
		_, g.text, _ = strings.Cut(g.text, "\n")
	}
	return g
}

// goroutines stops the world for a moment.
func goroutines() dump {
	all := make(dump)
	for text := range strings.SplitSeq(stackText(256<<10, true), "\n\n") {
		g := parseGoroutine(text)
		all[g.id] = g
	}
	return all
}

func stackText(size int, all bool) string {
	for {
		text := make([]byte, size)
		if n := runtime.Stack(text, all); n < size {
			return strings.TrimRight(string(text[:n]), "\n")
		}
		size *= 4
	}
}

// parseGoroutine reads
//
//	goroutine 7 [chan receive, 2 minutes]:
//	pkg.f(0x1)
//		/path/file.go:12 +0x1d
//	created by pkg.g in goroutine 1
//		/path/file.go:7 +0x5c
func parseGoroutine(text string) goroutine {
	head, rest, _ := strings.Cut(text, "\n")
	number, state, _ := strings.Cut(strings.TrimPrefix(head, "goroutine "), " ")
	if i := strings.IndexByte(state, '['); i >= 0 { // "gp=0x... m=0 [state]:" with some settings of GODEBUG
		state = state[i+1:]
	}
	state, _, _ = strings.Cut(strings.TrimSuffix(state, "]:"), ",")
	g := goroutine{state: state, text: rest}
	g.id, _ = strconv.ParseUint(number, 10, 64)
	const created = "created by "
	if i := strings.LastIndex("\n"+rest, "\n"+created); i >= 0 {
		by, at, _ := strings.Cut(rest[i+len(created):], "\n")
		g.text = rest[:max(i-1, 0)]
		by, parent, _ := strings.Cut(by, " in goroutine ")
		if by != timerCallback {
			g.parent, _ = strconv.ParseUint(parent, 10, 64)
		}
		g.creator, g.site = by, fileLine(at)
	}
	return g
}

// fileLine is "file.go:12" of a dump's line.
func fileLine(line string) string {
	line, _, _ = strings.Cut(strings.TrimSpace(line), " +0x")
	return path.Base(line)
}

// inDropIn is the folder of the drop-in that a line of a dump is in, or "": the closures of a
// function that was inlined have the name of its caller.
func inDropIn(line string) string {
	file, _, _ := strings.Cut(strings.TrimSpace(line), ":")
	dir := path.Dir(file)
	if !strings.HasSuffix(file, "_chaos.go") || path.Base(path.Dir(dir)) != "hooks" {
		return ""
	}
	return "hooks/" + path.Base(dir)
}

// eachFrame calls f with the function and the place of each frame, until f returns false. A closure
// of a drop-in is a function of its package, without a name.
func (g goroutine) eachFrame(f func(function, at string) bool) {
	lines := strings.Split(g.text, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		function := lines[i]
		if j := strings.LastIndexByte(function, '('); j > 0 {
			function = function[:j]
		}
		if dir := inDropIn(lines[i+1]); dir != "" && !ofEngine(function) {
			function = modulePath + dir
		}
		if !f(function, fileLine(lines[i+1])) {
			return
		}
	}
}

// call returns the outermost function of the hooks that the goroutine is in, and the place that it
// is called from.
func (g goroutine) call() (called, place string) {
	called, place = "a hook", "the runtime"
	g.eachFrame(func(function, at string) bool {
		if ofEngine(function) {
			if i := strings.Index(function, "/hooks"); i >= 0 {
				if named := strings.Contains(function[i+1:], "."); named || called == "a hook" {
					called = function[i+1:]
				}
			} else if strings.Contains(function, "/chaos.(*C).") {
				called = path.Base(function)
			}
			return true
		}
		place = path.Base(function) + " (" + at + ")"
		return false
	})
	return called, place
}

// frames are those of the subject.
func (g goroutine) frames() string {
	var b strings.Builder
	g.eachFrame(func(function, at string) bool {
		if !ofEngine(function) {
			b.WriteString("    " + function + " (" + at + ")\n")
		}
		return true
	})
	if g.creator != "" {
		b.WriteString("    started in " + g.creator + " (" + g.site + ")\n")
	}
	return b.String()
}

// origin says how the goroutine came about, and what to do instead.
func (g goroutine) origin() (origin, advice string) {
	switch {
	case g.creator == timerCallback:
		return "the callback of a timer of the standard library", "make the timer, or the context whose deadline it is, with package hooks/time or hooks/context"
	case g.id == 1:
		return "the main goroutine", "call it from the body of the execution"
	case g.parent == 0 || strings.HasPrefix(g.creator, "runtime."):
		return "a finalizer, a cleanup or another callback of the runtime", "call no hook there"
	}
	return "a goroutine that is not a task, started in " + path.Base(g.creator) + " (" + g.site + "),",
		"start it inside the execution, by go hooks.Task(f)(), C.Go or a drop-in of package hooks"
}

// has reports whether the goroutine has a frame of a function of this package.
func (g goroutine) has(function string) bool {
	return strings.Contains("\n"+g.text, "\n"+ofControl+function+"(")
}

// isHost reports whether the goroutine runs tasks, or stands for one (nothing).
func (g goroutine) isHost() bool {
	return strings.Contains("\n"+g.text, "\n"+ofControl+"(*host).") || g.has("nothing")
}

// isRoot reports whether the goroutine runs executions.
func (g goroutine) isRoot() bool { return g.has("(*engine).run") }

func (g goroutine) isTest() bool { return strings.HasPrefix(g.creator, "testing.") }

// busy reports whether it may do something soon without being woken by others.
func (g goroutine) busy() bool {
	if g.waitsOutside() {
		return false
	}
	switch g.state {
	case "running", "runnable", "sleep", "syscall", "waiting":
		return true
	}
	return false
}

// waitsOutside reports whether it waits in AwaitOutside.
func (g goroutine) waitsOutside() bool { return g.has("(*engine).AwaitOutside") }

// bystander reports whether the goroutine belongs to a test other than the one whose execution is
// in progress, or may be the callback of a timer of such a test. earlier are the goroutines of
// before the engine: creators among them may have ended. Where a chain of creators is broken after
// that, the goroutine is no bystander: its creator may have been a task.
func (all dump) bystander(g goroutine, earlier dump) bool {
	ancestors := all.rootChain()
	if g.creator == timerCallback { // whose timer it was is not known
		return all.otherTestsRun(ancestors)
	}
	for {
		if g.isHost() || ancestors[g.id] || g.parent == 0 {
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
			_, known = earlier[g.id]
			return known
		}
		g = parent
	}
}

// otherTestsRun reports whether a test runs, other than those around root.
func (all dump) otherTestsRun(ancestors map[uint64]bool) bool {
	for _, g := range all {
		waits := strings.Contains(g.text, "testing.(*T).Parallel(") || strings.Contains(g.text, "testing.(*T).Run(") ||
			strings.Contains(g.text, "chaos/internal/turns.Take(")
		if g.isTest() && !waits && !ancestors[g.id] {
			return true
		}
	}
	return false
}

// rootChain are the goroutine that runs executions and the tests around it.
func (all dump) rootChain() map[uint64]bool {
	chain := make(map[uint64]bool)
	for _, g := range all {
		for lives := g.isRoot(); lives; g, lives = all[g.parent] {
			chain[g.id] = true
			if !g.isTest() && !g.isRoot() {
				break
			}
		}
	}
	return chain
}

// outside are the goroutines that tasks have started, or goroutines among known, and that are
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
		_, self := known[g.id]
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
