//go:build chaos

package rouse_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// exampleFiles are the examples of the pages: the file that each becomes in a module of its own, and
// what it needs before it. One that is a whole file has nothing there.
var exampleFiles = map[string]struct{ file, header string }{
	"mailbox":         {"mailbox_test.go", ""},
	"mailbox-explore": {"explore/mailbox_test.go", ""},
	"mailbox-native": {"native/mailbox/mailbox_test.go", `package mailbox

import (
	"testing"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/sync"
)

`},
	"pool": {"pool/size.go", `package pool

import (
	"context"

	"github.com/rouse-go/rouse/pool"
)

type tree struct{ left, right *tree }

`},
	"queue-full": {"queue/full_test.go", `package queue_test

import (
	"sync"
	"testing"

	"github.com/rouse-go/rouse/examples/queue"
)

`},
	"remote": {"remote/mount.go", `package remote

import (
	"net/http"

	"github.com/rouse-go/rouse/chaos/remote"
)

`},
}

// Catches: an example on a page that does not compile, a test there that passes, and one that does not
// print what the page shows.
func TestExamples(t *testing.T) {
	t.Parallel()
	files, shown := map[string]string{}, map[string]block{}
	for _, b := range blocks(t) {
		switch b.kind {
		case "example":
			f, ok := exampleFiles[b.argument]
			if !ok {
				t.Errorf("%s:%d: unknown example %q", b.page, b.line, b.argument)
			}
			files[f.file] = f.header + b.text
		case "output":
			shown[b.argument] = b
		}
	}
	if len(files) != len(exampleFiles) || len(shown) != 3 {
		t.Fatalf("the pages have %d examples and the output of %d, want %d and 3", len(files), len(shown), len(exampleFiles))
	}
	dir := exampleModule(t, files)
	vet := exec.Command("go", "vet", "-tags", "chaos", "./...")
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, b := range shown {
		folder := "./" + filepath.ToSlash(filepath.Dir(exampleFiles[name].file))
		got, err := "", error(nil)
		if name == "mailbox" { // it knows nothing of rouse
			got, err = stressTest(t, dir, "--seed", "1", folder)
		} else {
			got, err = goTest(dir, "-tags", "chaos", folder)
		}
		if err == nil {
			t.Errorf("the example %s passes:\n%s", name, got)
		}
		if !shows(got, b.text) {
			t.Errorf("%s:%d shows\n%s\nthe example prints\n%s", b.page, b.line, b.text, got)
		}
	}
}

// goTest runs the tests of a module that exampleModule has made.
func goTest(dir string, args ...string) (output string, err error) {
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// stressTest runs the tests of a module under stress test, as go install ./cmd/stress builds it.
func stressTest(t *testing.T, dir string, args ...string) (output string, err error) {
	t.Helper()
	stress := filepath.Join(t.TempDir(), "stress")
	if out, err := exec.Command("go", "build", "-o", stress, "./cmd/stress").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(stress, append([]string{"test"}, args...)...)
	cmd.Args[0], cmd.Dir = "stress", dir // what it prints begins with its name
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// exampleModule makes a module "mailbox" of some files and this checkout.
func exampleModule(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{
		"go.mod": strings.Replace(read(t, "go.mod"), "module github.com/rouse-go/rouse", "module mailbox", 1) +
			"\nrequire github.com/rouse-go/rouse v0.0.0\nreplace github.com/rouse-go/rouse => " + here + "\n",
		"go.sum": read(t, "go.sum"),
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
