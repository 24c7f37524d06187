//go:build unix

package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rouse-go/rouse/stress/internal/report"
)

// binaries makes packages of fake tests, each with a test binary of its own in a folder of its own. That is done before
// any process begins: one that has just been forked holds a file open that is being written.
func binaries(t *testing.T, o *Options, packages int) {
	t.Helper()
	all, err := o.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	var list []*listed
	of := map[string]string{}
	for i := range packages {
		p := *all[0]
		p.ImportPath = fmt.Sprintf("%s%d", fakePackage, i)
		of[p.ImportPath] = filepath.Join(t.TempDir(), "a.test")
		if err := os.WriteFile(of[p.ImportPath], text, 0o700); err != nil {
			t.Fatal(err)
		}
		list = append(list, &p)
	}
	o.listed = func(context.Context) ([]*listed, error) { return list, nil }
	o.build = func(_ context.Context, p *listed) (binary, problem string, err error) {
		return of[p.ImportPath], "", nil
	}
}

// Catches: a test after which no worker can be started, or another program in place of one: that ended the run, with
// whatever other packages would have found, or was no failure.
func TestBinaryChanges(t *testing.T) {
	for does, want := range map[string]string{
		"renames":          "the test binary is gone, and a test may have done that: ",
		"unlinks":          "the test binary is gone, and a test may have done that: ",
		"replaces":         "is another file than the one that was built, and a test may have done that",
		"forbids":          "the test binary has the mode ",
		"removes-binaries": "the test binary is gone, and a test may have done that: ",
	} {
		t.Run(does, func(t *testing.T) {
			o := fakes(t, "TestA: "+does+" 3, fails 4; TestB; TestC: fails 0")
			binaries(t, &o, 2)
			o.Procs, o.Executions = 1, 10
			r, err := Run(t.Context(), o)
			if err != nil || r.Trouble != "" || len(r.Tests) != 6 || r.Failed() != 6 {
				t.Fatalf("%+v, %v", r, err)
			}
			for i, x := range r.Tests {
				if x.Status != report.TestUncontrolled || !x.Broken || !strings.Contains(x.Summary, want) || x.Recording != "" || i%3 == 0 && x.Executions == 0 {
					t.Errorf("%+v, want %s", x, want)
				}
			}
			if got := recordings(t, folder(t, &o)); len(got) > 0 {
				t.Errorf("recorded %q", got)
			}
		})
	}
}

// Catches: a trouble of the run that is put down to a test, and the reverse.
func TestWhoseFailureToStart(t *testing.T) {
	dir := t.TempDir()
	p := &program{binary: filepath.Join(dir, "a.test"), dir: t.TempDir(), tmp: t.TempDir()}
	if err := os.WriteFile(p.binary, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.remember()
	for _, err := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.ENOSPC} {
		if got := p.hindered(&os.PathError{Op: "fork/exec", Path: p.binary, Err: err}); got != nil {
			t.Errorf("%v is put down to a test: %v", err, got)
		}
	}
	o := &Options{Build: Build{Exec: filepath.Join(dir, "none")}}
	var disturbed *disturbance
	if _, err := p.start(t.Context(), o); err == nil || errors.As(err, &disturbed) {
		t.Errorf("without the program of -exec: %v", err)
	}
	o.Build.Exec = ""
	f, err := os.OpenFile(p.binary, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if w, err := p.start(t.Context(), o); !errors.As(err, &disturbed) || !strings.Contains(err.Error(), "text file busy") {
		t.Errorf("%v, %v", w, err)
	}
	for _, gone := range []string{p.tmp, p.dir} {
		if err := os.Remove(gone); err != nil {
			t.Fatal(err)
		}
		if _, err := p.start(t.Context(), o); !errors.As(err, &disturbed) || !strings.Contains(err.Error(), " is gone, and a test may have removed it") {
			t.Errorf("%v", err)
		}
		if err := os.Mkdir(gone, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b := &builder{Options: &Options{}, tmp: filepath.Join(dir, "none")}
	if _, problem, err := b.goTest(t.Context(), &listed{}); err != nil || !strings.HasPrefix(problem, "the folder for temporary files is gone") {
		t.Errorf("%q, %v", problem, err)
	}
	b.tmp = dir
	if one, other := b.folder(filepath.Join(dir, "1", "1.test")), b.folder(filepath.Join(dir, "2", "2.test")); !slices.Equal([]string{one, other}, []string{filepath.Join(dir, "1"), filepath.Join(dir, "2")}) {
		t.Errorf("two packages have their files in %s and %s", one, other)
	}
}
