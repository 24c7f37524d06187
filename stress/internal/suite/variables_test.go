package suite

import (
	"go/build"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/evidence"
)

// keptFiles are a package whose executions leave something in package-level variables, or in what else a process has. Each
// TestFound fails in a process of its own, if the second goroutine comes first, and in no other.
var keptFiles = map[string]string{
	"go.mod": "module kept.example\n\ngo 1.26\n",
	"kept.go": `// Package kept keeps.
package kept

import (
	"sync"
	"sync/atomic"
	"time"
)

var (
	later   = time.AfterFunc(time.Hour, func() {}) // armed in real time, which no execution sees
	flag    atomic.Bool
	mu      sync.Mutex
	plain   bool
	byName  = map[string]*int{"a": new(int)}
	shared  sync.Map
	first   = &node{next: &node{next: &node{}}}
	slice   = make([]byte, 3, 64)
	queue   = make(chan int, 1)
	text    = "a"
	small   = newSmall()
	letters = []byte(string(append([]byte("abc"), text+text...)))
	counter int
	late    [2]atomic.Bool
)

type pair struct{ kind, started int32 }

//go:noinline
func newSmall() *pair { return &pair{kind: 1} }

type node struct {
	next *node
	at   float64
}
`,
	"kept_test.go": `package kept

import (
	"expvar"
	"log"
	"mime"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"unsafe"
)

// keeps fails if isKept is called before keep, and has not been kept before.
func keeps(t *testing.T, keep func(), isKept func() bool) {
	var both sync.WaitGroup
	var kept atomic.Bool
	both.Go(func() { mu.Lock(); keep(); mu.Unlock() })
	both.Go(func() { mu.Lock(); kept.Store(isKept()); mu.Unlock() })
	both.Wait()
	if !kept.Load() {
		t.Error("it is not kept")
	}
}

func TestFoundAtomic(t *testing.T) { keeps(t, func() { flag.Store(true) }, flag.Load) }
func TestFoundPlain(t *testing.T) { keeps(t, func() { plain = true }, func() bool { return plain }) }
func TestFoundMap(t *testing.T) { keeps(t, func() { byName["b"] = nil }, func() bool { return len(byName) == 2 }) }
func TestFoundPointee(t *testing.T) { keeps(t, func() { *byName["a"] = 1 }, func() bool { return *byName["a"] == 1 }) }
func TestFoundSyncMap(t *testing.T) { keeps(t, func() { shared.Store(1, 1) }, func() bool { _, ok := shared.Load(1); return ok }) }
func TestFoundList(t *testing.T) { keeps(t, func() { first.next.next.at = 1 }, func() bool { return first.next.next.at == 1 }) }
func TestFoundSlice(t *testing.T) { keeps(t, func() { slice[2] = 1 }, func() bool { return slice[2] == 1 }) }
func TestFoundQueue(t *testing.T) { keeps(t, func() { select { case queue <- 1: default: } }, func() bool { return len(queue) == 1 }) }
func TestFoundSmall(t *testing.T) { keeps(t, func() { small.started = 1 }, func() bool { return small.started == 1 }) }
func TestFoundBytes(t *testing.T) { keeps(t, func() { letters[4] = 1 }, func() bool { return letters[4] == 1 }) }
func TestFoundText(t *testing.T) { keeps(t, func() { text = "b" }, func() bool { return text == "b" }) }
func TestFoundFolder(t *testing.T) { keeps(t, func() { os.Chdir("/") }, func() bool { dir, _ := os.Getwd(); return dir == "/" }) }
func TestFoundEnvironment(t *testing.T) { keeps(t, func() { os.Setenv("KEPT", "1") }, func() bool { return os.Getenv("KEPT") != "" }) }
func TestFoundMime(t *testing.T) { keeps(t, func() { mime.AddExtensionType(".kept", "a/b") }, func() bool { return mime.TypeByExtension(".kept") != "" }) }
func TestFoundSignal(t *testing.T) { keeps(t, func() { signal.Ignore(syscall.SIGHUP) }, func() bool { return signal.Ignored(syscall.SIGHUP) }) }
func TestFoundLog(t *testing.T) { keeps(t, func() { log.SetPrefix("kept") }, func() bool { return log.Prefix() == "kept" }) }
func TestFoundExpvar(t *testing.T) { keeps(t, func() { if expvar.Get("kept") == nil { expvar.NewInt("kept") } }, func() bool { return expvar.Get("kept") != nil }) }
func TestFoundMux(t *testing.T) {
	has := func() bool { _, pattern := http.DefaultServeMux.Handler(&http.Request{Method: "GET", URL: kept}); return pattern != "" }
	keeps(t, func() { if !has() { http.HandleFunc("/kept", nobody) } }, has)
}
func TestFoundClient(t *testing.T) { keeps(t, func() { http.DefaultClient.Timeout = 1 }, func() bool { return http.DefaultClient.Timeout == 1 }) }

// latecomer fails if one schedule of three goroutines comes before another has ever been.
func latecomer(t *testing.T, keeper, needer int32, padding int) {
	var all sync.WaitGroup
	var order, padded atomic.Int32
	before := map[int32]int32{}
	for i := range int32(3) {
		all.Go(func() { mu.Lock(); before[i] = order.Add(1); mu.Unlock(); for range padding { padded.Add(1) } })
	}
	all.Wait()
	switch {
	case before[keeper] == 1 && before[needer] == 3:
		late[keeper].Store(true)
	case before[needer] == 1 && before[keeper] == 2 && !late[keeper].Load():
		t.Error("it is too early")
	}
}

func TestFoundLateOne(t *testing.T) { latecomer(t, 1, 0, 0) }
func TestFoundLateZero(t *testing.T) { latecomer(t, 0, 1, 0) }

// It has too many schedules to find that out.
func TestLate(t *testing.T) { latecomer(t, 0, 1, 1) }

// The first of a process is another one.
func TestCountsManyTimes(t *testing.T) {
	TestMany(t)
	counter++
}

// Its pointers are no variables' own: what is behind a number is collected.
func TestNumbers(t *testing.T) {
	runtime.GC()
	TestPool(t)
}

var number = uintptr(unsafe.Pointer(new([64]int)))

func TestCounts(t *testing.T) {
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() { mu.Lock(); counter++; mu.Unlock() })
	}
	both.Wait()
}

// What is restored is as it was.
func TestRestores(t *testing.T) {
	t.Setenv("KEPT", "2")
	t.Chdir("/")
	both := sync.WaitGroup{}
	for range 2 {
		both.Go(func() { mu.Lock(); plain = true; mu.Unlock() })
	}
	both.Wait()
	plain = false
}

// A pool holds nothing for the next execution.
func TestPool(t *testing.T) {
	pool.Put(pool.Get())
	both := sync.WaitGroup{}
	for range 2 {
		both.Go(func() { pool.Put(new([64]byte)) })
	}
	both.Wait()
}

// It has more schedules than are ever explored with a process for each.
func TestMany(t *testing.T) {
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { for range 2 { mu.Lock(); mu.Unlock() } })
	}
	all.Wait()
}
`,
	"more_test.go": `package kept

import (
	"net/http"
	"net/url"
	"sync"
)

var (
	kept = &url.URL{Path: "/kept"}
	pool = sync.Pool{New: func() any { return new([64]byte) }}
)

func nobody(http.ResponseWriter, *http.Request) {}
`,
}

// Catches: a search that says that it has explored all there is, or passes, of a test whose outcome depends on what an earlier
// execution has left; a process for each execution where none is needed.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, keptFiles)
	for _, by := range []string{"portfolio", "portfolio with -race", "dfs", "dpor"} {
		o := real(t, dir)
		by, o.Build.Race = strings.CutSuffix(by, " with -race")
		o.Settings.Strategy, o.Settings.Clock, o.Executions = by, "lazy", 1000
		if o.Build.Race {
			o.Run, o.Executions = "FoundList|Counts|Many|Pool|Numbers", 200
		}
		if by != "portfolio" {
			o.Executions = 100_000
		}
		if by == "dfs" { // which has far more of the others
			o.Run = "Found(Atomic|Map|Environment|Signal)|Counts$"
		}
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		tested := 0
		for _, x := range r.Tests {
			found := strings.HasPrefix(x.Test, "TestFound")
			if by == "portfolio" && strings.Contains(x.Test, "Late") {
				continue // chance does not find what only a pair of executions shows
			}
			if tested++; found != (x.Status == "FAIL") || !found && x.Status != "ok" {
				t.Errorf("%s: %s %s: %s %s %q", by, x.Test, x.Status, x.Verdict, x.Summary, x.Notes)
			}
			all := strings.Contains(x.Exhausted, evidence.All)
			alone := slices.ContainsFunc(x.Notes, func(n string) bool { return strings.HasSuffix(n, "executions had a process each") })
			bounded := slices.Contains([]string{"TestPool", "TestNumbers", "TestLate", "TestCountsManyTimes"}, x.Test)
			if want := by != "portfolio" && !found && !bounded; all != want {
				t.Errorf("%s: %s: %q, %d executions", by, x.Test, x.Exhausted, x.Executions)
			}
			if shared := strings.Contains(x.Exhausted, "; the executions shared a process)"); all && shared == alone {
				t.Errorf("%s: %s: %q, %q", by, x.Test, x.Exhausted, x.Notes)
			}
			if left := strings.Contains(x.Exhausted, "package-level variables were as earlier executions had left them"); left != (by == "dpor" && (x.Test == "TestLate" || x.Test == "TestCountsManyTimes")) {
				t.Errorf("%s: %s: %q", by, x.Test, x.Exhausted)
			}
			if !found && alone != (by == "portfolio" && strings.HasPrefix(x.Test, "TestCounts") || all && x.Executions <= wire.MostAgain) {
				t.Errorf("%s: %s: %d executions, %q", by, x.Test, x.Executions, x.Notes)
			}
			if x.Test == "TestCounts" && by == "portfolio" {
				sum := 0
				for _, b := range x.Evidence.Bounds {
					sum += b.Executions
				}
				alone := 0
				for n := range x.Executions {
					if wire.DiffersInVariables.Samples(n) {
						alone++
					}
				}
				if sum == 0 || sum > alone {
					t.Errorf("the bounds of %s are not of those executions that have a process each: %+v", x.Test, x.Evidence.Bounds)
				}
			}
			if x.Test == "TestMany" && by != "portfolio" && x.Executions <= wire.MostAgain {
				t.Errorf("%s: %s has %d executions", by, x.Test, x.Executions)
			}
		}
		if tested < 4 {
			t.Errorf("%s: %d tests", by, tested)
		}
	}
}

// Catches: a user's package that is taken for one of the standard library, and the reverse.
func TestIsStandard(t *testing.T) {
	b := &builder{overlay: &goroot.Overlay{GOROOT: build.Default.GOROOT}}
	known := map[string]bool{}
	for path, want := range map[string]bool{
		"archive/zip": true, "log": true, "internal/rouse/driver": true, "runtime/race/internal/amd64v1(": true, "main": true, "": true,
		"archive": false, "database": false, "kept": false, "example.com/log": false, "log2": false, "completed": false,
	} {
		if got := b.isStandard(path, known); got != want || b.isStandard(path, known) != want {
			t.Errorf("isStandard(%q) = %v", path, got)
		}
	}
}

// Catches: a part between variables that is lost, or one that is a variable's.
func TestBetween(t *testing.T) {
	all := []wire.Extent{{At: 5, Size: 5}, {At: 10, Size: 10}, {At: 12, Size: 2}, {At: 30, Size: 4}, {At: 90, Size: 9}}
	if got, want := between(all, 8, 50), []wire.Extent{{At: 20, Size: 10}, {At: 34, Size: 16}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := between(all, 0, 34), []wire.Extent{{At: 0, Size: 5}, {At: 20, Size: 10}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Catches: a variable that is taken for one of another package.
func TestPackageOf(t *testing.T) {
	for symbol, want := range map[string]string{
		"main.x": "main", "a/b.x": "a/b", "gopkg.in/yaml%2ev3.x": "gopkg.in/yaml.v3", "a.b/c.(*T).m.x": "a.b/c", "a.b/c..stmp_1": "a.b/c",
		"x": "", "": "", "a/%zz.x": "",
	} {
		if got := packageOf(symbol); got != want {
			t.Errorf("packageOf(%q) = %q, want %q", symbol, got, want)
		}
	}
}
