package operator

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// prelude declares what the examples use. An example is the body of the function at its end.
const prelude = `package example

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"
)

type task struct{ next *task }

var (
	mu, other        sync.Mutex
	table            sync.RWMutex
	cond             = sync.NewCond(&mu)
	group            sync.WaitGroup
	once             sync.Once
	ready, closed    atomic.Bool
	pending, workers atomic.Int64
	head             atomic.Pointer[task]
	word             uint32
	value, count     int
	queue            []int
	inbox, outbox    chan int
	waiting          map[int]int
	jobs             = list.New()
	clock            *time.Timer
	size             int
)

func use(...any)                  {}
func wakeOne()                    {}
func do(ctx context.Context)      {}

// change makes the variables shared.
func change() { value, count, queue, waiting = 1, 1, nil, nil }

var _ = atomic.AddUint32(&word, 0)

func example(ctx context.Context, x int) (done bool) {
`

// wrap makes a package of an example.
func wrap(t *testing.T, body string) string {
	t.Helper()
	return formatted(t, prelude+body+"\n\treturn done\n}\n")
}

func formatted(t *testing.T, source string) string {
	t.Helper()
	text, err := format.Source([]byte(source))
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return string(text)
}

// load loads the package in dir, a folder of this module or any other.
func load(t *testing.T, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	found, err := packages.Load(&packages.Config{Mode: Mode, Dir: dir}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		for _, e := range p.Errors {
			t.Fatalf("%s: %v", p.PkgPath, e)
		}
	}
	return found
}

// loadSources writes packages and loads them, by name.
func loadSources(t *testing.T, sources map[string]string) map[string]*packages.Package {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example\n\ngo 1.25\n")
	for name, source := range sources {
		write(t, filepath.Join(dir, name, "example.go"), source)
	}
	loaded := map[string]*packages.Package{}
	for _, p := range load(t, dir, "./...") {
		loaded[strings.TrimPrefix(p.PkgPath, "example/")] = p
	}
	return loaded
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
