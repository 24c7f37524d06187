package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/process"
)

// Build holds the settings for building the tests.
type Build struct {
	Race  bool
	Short bool
	Tags  string
	More  []string // further build flags, such as -mod=vendor
	Debug bool     // for a debugger
	Exec  string   // program, with arguments, that runs the test binaries, like -exec of go test; "" runs them directly
}

// Flags returns the flags for go list and go test.
func (b *Build) Flags() (all []string) {
	if b.Race {
		all = append(all, "-race")
	}
	if b.Tags != "" {
		all = append(all, "-tags="+b.Tags)
	}
	return append(all, b.More...)
}

// words returns the flags of stress test for the same build.
func (b *Build) words() []string {
	all := b.Flags()
	if b.Short {
		all = append(all, "-short")
	}
	if b.Exec != "" {
		all = append(all, "-exec="+b.Exec)
	}
	return all
}

// A builder builds test binaries.
type builder struct {
	*Options
	tmp     string
	overlay *goroot.Overlay
	all     []*listed // packages that are tested
	built   atomic.Int64
}

// slow is how long the first build may take before a message explains why it takes so long.
const slow = 3 * time.Second

// goTest builds the test binary of a package. It returns "" for a package without tests. problem is the output of a
// failed build.
func (b *builder) goTest(ctx context.Context, p *listed) (binary, problem string, err error) {
	number := b.built.Add(1)
	dir := filepath.Join(b.tmp, fmt.Sprint(number))
	if err := os.Mkdir(dir, 0o700); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Sprintf("the folder for temporary files is gone%s: %v", byTest, err), nil
	} else if err != nil {
		return "", "", err
	}
	binary = filepath.Join(dir, fmt.Sprintf("%d.test", number))
	args := append([]string{"test", "-c", "-vet=off", "-o", binary}, b.overlay.Flags...)
	cmd := process.Command(ctx, b.overlay.Go, append(args, p.ImportPath)...)
	cmd.Dir, cmd.Env = b.dir, append(os.Environ(), "GOTMPDIR="+b.tmp) // files of an interrupted build are removed with tmp
	cmd.Env = append(cmd.Env, b.overlay.Env...)
	if number == 1 {
		start := time.Now()
		said := time.AfterFunc(slow, func() {
			b.Doing("building; the first time for a Go and a set of flags, that includes the standard library ...")
		})
		defer func() {
			if !said.Stop() {
				b.Doing(fmt.Sprintf("built in %v", time.Since(start).Round(100*time.Millisecond)))
			}
		}()
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = b.guard.Run(cmd)
	text := strings.TrimSpace(out.String())
	switch {
	case ctx.Err() != nil:
		return "", "", context.Cause(ctx)
	case err != nil && cmd.ProcessState == nil:
		return "", "", fmt.Errorf("the go command: %w", err)
	case err != nil:
		return "", text, nil
	}
	if _, err := os.Stat(binary); err != nil { // go test -c writes no binary without tests
		return "", "", nil
	}
	return binary, "", nil
}

// program returns the program that starts the test binary of a package.
func (b *builder) program(binary string, p *listed, start int64) *program {
	args := []string{"-test.paniconexit0", "-test.timeout=0", "-test.parallel=" + parallel}
	add := func(name, value string) {
		if value != "" {
			args = append(args, "-test."+name+"="+value)
		}
	}
	add("run", b.Run)
	add("skip", b.Skip)
	if b.Build.Short {
		add("short", "true")
	}
	made := &program{
		binary: binary, args: append(args, b.Args...), dir: p.Dir, env: b.workerEnv(b.overlay, b.Native), tmp: b.folder(binary), race: b.Build.Race, inputs: new(inputs),
		setup: wire.Setup{Start: start, Native: b.Native, Own: own(p, b.all), Root: p.root(b.overlay.GOROOT), Unverified: b.overlay.Unverified != ""},
	}
	if !b.Native {
		made.setup.Variables = b.listVariables(made)
	}
	made.remember()
	return made
}

// folder returns the folder for files of a binary's workers. Each package has its own, so a test that removes the
// folder of its binary affects no other package.
func (b *builder) folder(binary string) string {
	if dir := filepath.Dir(binary); filepath.Dir(dir) == filepath.Clean(b.tmp) {
		return dir
	}
	return b.tmp // goTest did not build the binary
}

// own returns the modules whose code is the user's own when a package is tested: the module of the package, and
// the main modules of all packages.
func own(p *listed, all []*listed) (modules []string) {
	for _, q := range append([]*listed{p}, all...) {
		if m := q.Module; m != nil && (m.Main || q == p) && !slices.Contains(modules, m.Path) {
			modules = append(modules, m.Path)
		}
	}
	return modules
}

// workerProcs is the GOMAXPROCS of a worker that controls its executions: tasks run one at a time, and a
// second processor costs more time than it saves. Tests see another number (rouseProcs of the runtime).
const workerProcs = 1

// workerEnv returns the environment of a worker. As with go test, the go command in it is the one of the build.
func (o *Options) workerEnv(overlay *goroot.Overlay, native bool) []string {
	var env []string
	for _, v := range os.Environ() {
		switch name, value, _ := strings.Cut(v, "="); name {
		case "PWD", wire.Variable:
		case "PATH":
			env = append(env, "PATH="+filepath.Join(overlay.GOROOT, "bin")+string(filepath.ListSeparator)+value)
		default:
			env = append(env, v)
		}
	}
	if !native {
		env = append(env, "GOMAXPROCS="+strconv.Itoa(workerProcs)) // the last counts
	}
	return append(env, o.env...)
}
