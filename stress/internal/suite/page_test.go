package suite

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/report"
)

// TestPlacesOfTheUser: the report of a failure in a module whose goroutines a dependency starts, and which
// waits in a dependency, has the user's own lines, and names what is waited for.
func TestPlacesOfTheUser(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"dep/go.mod": "module example.com/dep\n\ngo 1.25\n",
		"dep/group.go": `package dep

import "sync"

type Group struct{ wg sync.WaitGroup }

func (g *Group) Start(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}

func (g *Group) Wait() { g.wg.Wait() }
`,
		"user/go.mod": "module example.com/user.v2\n\ngo 1.25\n\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ../dep\n",
		"user/locks/locks.go": `package locks

import "sync"

func Both(a, b *sync.Mutex) {
	a.Lock()
	b.Lock()
	b.Unlock()
	a.Unlock()
}
`,
		"user/user_test.go": `package user

import (
	"sync"
	"testing"

	"example.com/dep"
	"example.com/user.v2/locks"
)

func TestOrder(t *testing.T) {
	var a, b sync.Mutex
	var g dep.Group
	g.Start(func() { locks.Both(&a, &b) })
	g.Start(func() { locks.Both(&b, &a) })
	g.Wait()
}
`})
	r := one(t, real(t, filepath.Join(dir, "user")))
	if r.Status != report.TestFailed || r.Page == nil {
		t.Fatalf("%+v", r)
	}
	for _, want := range []string{
		"| main (TestOrder) ", "| main/0 (user_test.go:14)", "| main/1 (user_test.go:15)", "begin TestOrder.func1",
		"dep.(*Group).Start [1] user_test.go:14", "dep.(*Group).Wait [1] user_test.go:16 (waits)", "sync.(*Mutex).Lock [2] locks.go:7 (waits)",
		"[1] g (user_test.go:13), [2] a (locks.go:5)", "locks         main/0 waits for [",
		" waits for a WaitGroup [1] in dep.(*Group).Wait, since step ", "    locks.Both (" + filepath.Join("locks", "locks.go") + ":7)\n",
	} {
		if !strings.Contains(r.Report, want) {
			t.Errorf("no %q in\n%s", want, r.Report)
		}
	}
	if strings.Contains(r.Report, "group.go") {
		t.Errorf("it shows lines of a dependency:\n%s", r.Report)
	}
}
