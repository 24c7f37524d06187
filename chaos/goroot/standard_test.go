package goroot

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Of the step overlay_elsewhere of CI, blanks separate: which toolchains to try beside the installed
// one, and for which platforms to compile the standard library.
const (
	toolchainsVariable = "ROUSE_TOOLCHAINS" // go1.27.4 ...
	platformsVariable  = "ROUSE_PLATFORMS"  // windows/amd64 ...
)

// Catches: an anchor that a Go version does not have, and a platform for which the standard library
// does not compile under the overlay.
func TestInstalled(t *testing.T) {
	cache := t.TempDir()
	for _, toolchain := range append(strings.Fields(os.Getenv(toolchainsVariable)), "") {
		if toolchain != "" {
			t.Setenv("GOTOOLCHAIN", toolchain)
		}
		for _, platform := range append(strings.Fields(os.Getenv(platformsVariable)), "") {
			t.Run(toolchain+" "+platform, func(t *testing.T) { installed(t, cache, toolchain, platform) })
		}
		t.Setenv("GOTOOLCHAIN", "local")
	}
}

// installed makes the overlay, and compiles the standard library if there is a platform.
func installed(t *testing.T, cache, toolchain, platform string) {
	goos, goarch, _ := strings.Cut(platform, "/")
	made := mustMake(t, Options{Cache: cache, GOOS: goos, GOARCH: goarch, CompileOnly: true})
	if toolchain != "" && made.GoVersion != toolchain {
		t.Fatalf("the overlay is for %s, want %s", made.GoVersion, toolchain)
	}
	table := replaced(t, made)
	for _, p := range patchesFor((&env{GOVERSION: made.GoVersion}).minor()) {
		if table[filepath.Join(made.GOROOT, "src", filepath.FromSlash(p.File))] == "" {
			t.Errorf("%s is not replaced", p.File)
		}
	}
	if platform == "" {
		buildRuntime(t, made)
		return
	}
	dir := t.TempDir()
	main := filepath.Join(dir, "main.go") // the linker knows whether the stack is large enough for what does not split it
	if err := os.WriteFile(main, []byte("package main\n\nimport _ \"testing\"\n\nfunc main() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"std"}, {"-o", filepath.Join(dir, "main"), main}} {
		cmd := exec.Command(made.Go, slices.Concat([]string{"build"}, made.Flags, args)...)
		cmd.Env = append(os.Environ(), made.Env...)
		cmd.Env = append(cmd.Env, "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=")
		t.Log(cmd.Args)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}

// buildRuntime compiles the runtime alone for systems that the overlay has other files for: the platforms of CI take
// minutes.
func buildRuntime(t *testing.T, made *Overlay) {
	for _, goos := range []string{"darwin", "windows"} {
		cmd := exec.Command(made.Go, slices.Concat([]string{"build"}, made.Flags, []string{"runtime"})...)
		cmd.Env = slices.Concat(os.Environ(), made.Env, []string{"GOOS=" + goos, "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS="})
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", goos, err, out)
		}
	}
}

// standardVariable is set for the step std_tests of CI: own tests of all packages that the overlay patches are to
// pass under it, some 4 minutes of processor time for each Go. Otherwise few are run.
const standardVariable = "ROUSE_STD"

// fewOfStd and allOfStd are the arguments of calls of go test.
var (
	fewOfStd = []string{"context internal/sync testing/synctest"}
	allOfStd = []string{
		"sync sync/atomic internal/sync internal/synctest time context testing/synctest testing os/signal unique weak math/rand/v2 hash/maphash crypto/rand",
		"-run Chan|Select|Sema|Timer|Sleep|Panic|Finaliz|Cleanup|Weak|Map|NumGoroutine|Stack|GC runtime",
	}
)

// Catches: a patch that changes what a package does while no execution runs.
func TestStandardLibrary(t *testing.T) {
	cache := t.TempDir()
	calls := fewOfStd
	if os.Getenv(standardVariable) != "" {
		calls = allOfStd
	}
	for _, toolchain := range append(strings.Fields(os.Getenv(toolchainsVariable)), "local") {
		t.Run(toolchain, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", toolchain)
			made := mustMake(t, Options{Cache: cache})
			for _, args := range calls {
				cmd := exec.Command(made.Go, slices.Concat([]string{"test", "-vet=off", "-short"}, made.Flags, strings.Fields(args))...)
				cmd.Env = append(append(os.Environ(), made.Env...), "GOFLAGS=")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Errorf("%q: %v\n%s", cmd.Args, err, out)
				}
				t.Logf("%s\n%s", made.GoVersion, out)
			}
			if made.GoVersion != toolchain && toolchain != "local" {
				t.Errorf("the overlay is for %s", made.GoVersion)
			}
		})
	}
}
