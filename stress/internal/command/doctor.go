package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/stress/internal/prose"
	"github.com/rouse-go/rouse/stress/internal/suite"
)

func newDoctor() *cobra.Command {
	var selfTest bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether stress test can run on this machine, and what there is for it",
		Long: `Say what stress test finds on this machine: the Go that it would use in the current folder, the overlay of its
standard library, which is made if it is missing, the self-test of that overlay, the race detector, the emulator
for linux/arm64, the debugger Delve, and the caches with their sizes.

The exit code is 1 if stress test cannot run in the current folder: the go command is missing, or Go or the platform
is not supported, or the self-test has failed, or the go command does not take the module there. What only some flags and commands need may be missing.`,
		Example: `  # before a report that something does not work
  stress doctor

  # does this Go run programs as those before? With the race detector, too
  stress doctor --self-test`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{anyBuild: ""},
	}
	c.Flags().BoolVar(&selfTest, "self-test", false, "run the self-test, plain and with the race detector, even of a release of Go that has been tried")
	c.RunE = func(c *cobra.Command, _ []string) error {
		d := &doctor{printer: newPrinter(c), selfTest: selfTest}
		d.examine(c.Context())
		if err := context.Cause(c.Context()); err != nil {
			return Failed(err)
		}
		if err := d.end(); err != nil {
			return err
		}
		if !d.runs {
			return &ExitError{ExitFailed, errors.New("stress test cannot run here")}
		}
		return nil
	}
	return c
}

// A doctor reports what stress test finds on this machine.
type doctor struct {
	*printer
	selfTest bool // run the self-test
	runs     bool // stress test runs here
}

// A goEnv holds variables of go env that an overlay does not have.
type goEnv struct{ CGO_ENABLED, CC, GOCACHE, GOMOD, GOWORK string }

// goPrints returns what the go command prints. The error is what it says if it fails.
func goPrints(ctx context.Context, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(bytes.TrimSpace(exit.Stderr)) > 0 {
		err = errors.New(string(bytes.TrimSpace(exit.Stderr)))
	}
	return out, err
}

func (d *doctor) says(what, format string, args ...any) {
	// Further lines of a message are indented below the first.
	d.line("%-10s %s", what, strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf(format, args...)), "\n", "\n           "))
}

func (d *doctor) examine(ctx context.Context) {
	defer d.delve()
	var e goEnv
	out, err := goPrints(ctx, "env", "-json", "CGO_ENABLED", "CC", "GOCACHE", "GOMOD", "GOWORK")
	if err == nil {
		err = json.Unmarshal(out, &e)
	}
	if err != nil {
		d.says("go", "%v", err)
		return
	}
	race := d.race(e)
	overlay, err := goroot.Make(ctx, goroot.Options{})
	if err != nil {
		d.says("go", "%v", err)
	} else {
		d.overlay(overlay)
		d.runs = d.selfTested(ctx, overlay, false)
		if race == "" {
			d.runs = d.selfTested(ctx, overlay, true) && d.runs
		}
		d.says("platform", "%s/%s%s", overlay.GOOS, overlay.GOARCH, strings.TrimSuffix(": "+overlay.Note, ": "))
	}
	if e.GOWORK != "" || e.GOMOD != "" && e.GOMOD != os.DevNull {
		if _, err := goPrints(ctx, "list", "-m"); err != nil {
			d.says("module", "%v", err)
			d.runs = false
		}
	}
	if race == "" {
		race = "there is what -race needs"
	}
	d.says("race", "%s", race)
	d.emulator()
	d.caches(ctx, e)
}

func (d *doctor) overlay(overlay *goroot.Overlay) {
	verdict := "this stress has been tried with it"
	if overlay.Unverified != "" {
		verdict = overlay.Unverified + ": reports say unverified"
	}
	d.says("go", "%s, %s: %s", overlay.GoVersion, overlay.GOROOT, verdict)
	made := "made now"
	if overlay.Cached {
		made = "in the cache"
	}
	d.says("overlay", "%s, %s", filepath.Base(overlay.Dir), made)
}

// selfTested reports whether no problem with a Go version is known.
func (d *doctor) selfTested(ctx context.Context, overlay *goroot.Overlay, race bool) bool {
	what := "plain"
	if race {
		what = "with -race"
	}
	tried, err := suite.SelfTested(overlay, race)
	if d.selfTest {
		if race { // of another build
			raced, err := goroot.Make(ctx, goroot.Options{Race: true})
			if err != nil {
				d.says("self-test", "%s: %v", what, err)
				return false
			}
			overlay = raced
		}
		tried, err = true, suite.SelfTest(ctx, overlay, suite.Build{Race: race})
	}
	switch {
	case err != nil:
		d.says("self-test", "%s: failed: %v", what, err)
		return false
	case tried:
		d.says("self-test", "%s: passed", what)
	case overlay.Unverified != "":
		d.says("self-test", "%s: not run yet: the next stress test does, or stress doctor --self-test", what)
	default:
		d.says("self-test", "%s: not needed, as this Go has been tried", what)
	}
	return true
}

// race returns why -race does not work, or "".
func (d *doctor) race(e goEnv) string {
	compiler, _, _ := strings.Cut(strings.TrimSpace(e.CC), " ")
	_, err := exec.LookPath(compiler)
	switch {
	case runtime.GOOS == "darwin": // its detector needs no cgo
	case e.CGO_ENABLED != "1":
		return "-race needs cgo, and CGO_ENABLED is " + e.CGO_ENABLED
	case err != nil:
		return "-race needs a C compiler: " + err.Error()
	}
	return ""
}

const emulates = "qemu-aarch64"

func (d *doctor) emulator() {
	path, err := exec.LookPath(emulates)
	if err != nil {
		d.says("emulator", "%s is not on the PATH: only tests of linux/arm64 on another processor need it (package qemu-user)", emulates)
		return
	}
	d.says("emulator", "%s: GOARCH=arm64 stress test -exec %s", path, emulates)
}

func (d *doctor) delve() {
	path, err := exec.LookPath("dlv")
	if err != nil {
		d.says("delve", "dlv is not on the PATH: only stress debug needs it")
		return
	}
	d.says("delve", "%s", path)
}

func (d *doctor) caches(ctx context.Context, e goEnv) {
	all, err := goroot.Caches(ctx, goroot.Options{})
	if err != nil {
		d.says("cache", "%v", err)
	}
	for i, u := range all {
		if i > 0 && u.Bytes == 0 { // it is for when the first cannot be written
			continue
		}
		holds := prose.Plural(u.Overlays, "overlay") + " and " + prose.Plural(u.Toolchains, "toolchain")
		if u.Results > 0 {
			holds = fmt.Sprintf("%s, %s and %s", prose.Plural(u.Overlays, "overlay"), prose.Plural(u.Toolchains, "toolchain"), prose.Plural(u.Results, "result"))
		}
		d.says("cache", "%s: %s, %s; stress clean removes them", u.Folder, prose.Bytes(u.Bytes), holds)
	}
	d.says("cache", "%s: %s, of the go command; go clean -cache removes them", e.GOCACHE, prose.Bytes(goroot.Size(e.GOCACHE)))
}
