package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// scripts makes a folder the PATH that has scripts of these names.
func scripts(t *testing.T, text map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range text {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// healthy returns a folder for caches of overlays, which are built without a C compiler, with the cache of the go
// command.
func healthy(t *testing.T) (home string) {
	t.Helper()
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	home = t.TempDir()
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("CGO_ENABLED", "0")
	return home
}

// Catches: a machine that stress test runs on and doctor does not, and the other way round.
func TestDoctor(t *testing.T) {
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	home, toolchains := healthy(t), "0 toolchains"
	if root, err := exec.Command(gotool, "env", "GOROOT").Output(); err != nil {
		t.Fatal(err)
	} else if strings.Contains(string(root), "golang.org/toolchain@") { // of the module cache: stress has it under another path
		toolchains = "1 toolchain"
	}
	for _, made := range []string{"made now", "in the cache"} {
		got := in(t, home, plainBinary, "doctor")
		got.want(t, 0)
		for _, want := range []string{
			`(?m)^go +go1\.\d+\S*, /.*: this stress has been tried with it$`, `(?m)^overlay +go1\.\d+\S*-[0-9a-f]{20}, ` + made + "$",
			`(?m)^self-test +plain: not needed, as this Go has been tried$`, `(?m)^platform +linux/`, `(?m)^race +-race needs cgo, and CGO_ENABLED is 0$`,
			`(?m)^emulator `, `(?m)^delve `, `(?m)^cache +` + filepath.Join(home, "rouse", "goroot") + `: \d+ MiB, 1 overlay and ` + toolchains + `; stress clean removes them$`,
		} {
			if !regexp.MustCompile(want).MatchString(got.out) {
				t.Errorf("no line %s in\n%s", want, got.out)
			}
		}
	}
	in(t, home, plainBinary, "doctor", "all").want(t, 2)
	refuses := func(want string) {
		t.Helper()
		got := in(t, home, plainBinary, "doctor")
		got.want(t, 1)
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	t.Setenv("GOTOOLCHAIN", "nonsense")
	refuses(`invalid GOTOOLCHAIN "nonsense"`)
	t.Setenv("GOTOOLCHAIN", "local")
	module := filepath.Join(home, "go.mod")
	if err := os.WriteFile(module, []byte("module example.com/newer\n\ngo 1.99\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	refuses("module     go: go.mod requires go >= 1.99")
	if err := os.WriteFile(module, []byte("module example.com/flags\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	in(t, home, plainBinary, "doctor").want(t, 0)
	t.Setenv("GOFLAGS", "-nosuch")
	refuses("-nosuch")
	t.Setenv("GOFLAGS", "")
	if err := os.Remove(module); err != nil {
		t.Fatal(err)
	}

	scripts(t, map[string]string{
		"go":  `case "$*" in *GOROOT*) echo '{"GOROOT":"/go","GOVERSION":"go1.24.1","GOOS":"linux","GOARCH":"amd64","GOHOSTOS":"linux"}';; *) ` + gotool + ` "$@";; esac`,
		"dlv": "", "cc": "",
	})
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("CC", "cc -x")
	got := in(t, home, plainBinary, "doctor")
	got.want(t, 1)
	for _, want := range []string{"go         go1.24.1 (/go) is not supported: want Go 1.26 or newer", "race       there is what -race needs\n", "/dlv\n", "qemu-aarch64 is not on the PATH"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if want := "stress: stress test cannot run here\n"; got.errs != want {
		t.Errorf("%q, want %q", got.errs, want)
	}

	scripts(t, nil)
	got = in(t, home, plainBinary, "doctor")
	got.want(t, 1)
	if !strings.Contains(got.out, `"go": executable file not found in $PATH`) {
		t.Errorf("%s", got.out)
	}
}

// Catches: a self-test that doctor does not run, and a failure of it that is none of the exit code's.
func TestDoctorSelfTest(t *testing.T) {
	home := healthy(t)
	passed := regexp.MustCompile(`(?m)^self-test +plain: passed$`)
	for _, args := range [][]string{{"doctor", "--self-test"}, {"doctor"}} {
		got := in(t, home, plainBinary, args...)
		got.want(t, 0)
		if !passed.MatchString(got.out) {
			t.Errorf("%q: %s", args, got.out)
		}
	}
	results, err := filepath.Glob(filepath.Join(home, "rouse", "goroot", "go*", "selftest-*"))
	if err != nil || len(results) != 1 {
		t.Fatalf("%q, %v: want one result", results, err)
	}
	if err := os.WriteFile(results[0], []byte("failed: a difference\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := in(t, home, plainBinary, "doctor")
	got.want(t, 1)
	if !strings.Contains(got.out, "does not pass the self-test: a difference;") {
		t.Error(got.out)
	}
}
