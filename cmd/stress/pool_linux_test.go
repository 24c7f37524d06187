package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestModuleOfPools: under stress test each execution of a user's test has a default pool of its own, whose
// workers end with it, and a goroutine is not taken for a worker of an earlier execution: correct jobs
// pass, and a deadlock of jobs repeats.
func TestModuleOfPools(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := moduleOf(t, nil)
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.25.0\n\nrequire (\n\tgithub.com/rouse-go/rouse v0.0.0\n\tgolang.org/x/sys v0.47.0\n)\n\nreplace github.com/rouse-go/rouse => "+root+"\n")
	copyFile(t, filepath.Join(root, "go.sum"), filepath.Join(dir, "go.sum"))
	write(t, dir, "m_test.go", `package m

import (
	"context"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

func TestDefault(t *testing.T) {
	var g pool.Group
	for range 3 {
		g.Go(func(*pool.Worker) error { return nil })
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if err := pool.Default().Run(context.Background(), func(*pool.Worker) error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestStages(t *testing.T) {
	p, err := pool.New(1)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := p.Group(context.Background())
	c := make(chan int)
	g.Go(func(*pool.Worker) error { c <- 1; return nil })
	g.Go(func(*pool.Worker) error { <-c; return nil })
	g.Wait()
}
`)
	got := in(t, dir, plainBinary, "test", "-mod=mod", ".", "--executions", "60", "--seed", "1", "--quiet")
	got.want(t, 1)
	for _, want := range []string{"\nok   example.com/m TestDefault  60 executions", "\nFAIL example.com/m TestStages  deadlock in execution 0"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("want %q in\n%s", want, got.out)
		}
	}
}
