package goroot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An env holds what go env prints in the user's module.
type env struct {
	command string // the go command
	GOROOT, GOVERSION, GOFLAGS, GOMODCACHE, GOCACHE,
	GOOS, GOARCH, GOHOSTOS, GOEXPERIMENT, GOMOD, GOWORK string
}

// environment asks the go command.
func environment(ctx context.Context, o Options) (*env, error) {
	e := &env{command: o.Go}
	if e.command == "" {
		e.command = "go"
	}
	cmd := exec.CommandContext(ctx, e.command, "env", "-json", "GOROOT", "GOVERSION", "GOFLAGS", "GOMODCACHE", "GOCACHE", "GOOS", "GOARCH", "GOHOSTOS", "GOEXPERIMENT", "GOMOD", "GOWORK")
	cmd.Dir = o.Dir
	cmd.Env = os.Environ()
	for _, v := range [][2]string{{"GOOS", o.GOOS}, {"GOARCH", o.GOARCH}} {
		if v[1] != "" {
			cmd.Env = append(cmd.Env, v[0]+"="+v[1])
		}
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, e)
	}
	if err != nil {
		return nil, fmt.Errorf("%s env: %w", e.command, errors.Join(err, said(stderr.String())))
	}
	return e, nil
}

// said returns what a command has printed as an error, or nil if that is nothing.
func said(text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	return errors.New(text)
}

var release = regexp.MustCompile(`^(?:devel )?go(\d+\.\d+)(\D|$)`)

// minor returns the minor version, as "1.26", or "" if GOVERSION has none. A development version is one of the next
// minor version.
func (e *env) minor() string {
	if m := release.FindStringSubmatch(e.GOVERSION); m != nil {
		return m[1]
	}
	return ""
}

// check refuses a Go that there are no patches for, and a GOROOT that is not that of the command or has no sources.
func (e *env) check() error {
	if minor := e.minor(); minor == "" || older(minor, Versions[0]) {
		return &VersionError{Version: e.GOVERSION, Root: e.GOROOT}
	}
	text, err := os.ReadFile(filepath.Join(e.GOROOT, "VERSION"))
	if errors.Is(err, fs.ErrNotExist) && strings.Contains(e.GOVERSION, "devel") {
		text, err = os.ReadFile(filepath.Join(e.GOROOT, "VERSION.cache")) // of a checkout
	}
	if err != nil {
		return &RootError{Root: e.GOROOT, Version: e.GOVERSION, Reason: err.Error()}
	}
	// A version of the command may go on with experiments: go1.26.1 X:name, go1.26.1-X:name.
	version, _, _ := strings.Cut(string(text), "\n")
	rest, ok := strings.CutPrefix(e.GOVERSION, strings.TrimSpace(version))
	if !ok || strings.IndexAny(rest, "0123456789.") == 0 {
		return &RootError{Root: e.GOROOT, Version: e.GOVERSION, Reason: "its VERSION is " + version}
	}
	if _, err := os.Stat(filepath.Join(e.GOROOT, "src", "runtime", "proc.go")); err != nil {
		return &RootError{Root: e.GOROOT, Reason: err.Error()}
	}
	if slices.Contains(strings.Split(e.GOEXPERIMENT, ","), "noswissmap") {
		return &FlagError{"GOEXPERIMENT=noswissmap", "the maps that it selects iterate at random"}
	}
	return nil
}

// platform checks that programs run under control on the platform, and on this machine.
func (e *env) platform() (note string, err error) {
	if note, err = Supported(e.GOOS, e.GOARCH); err == nil && e.GOOS != e.GOHOSTOS {
		return "", &PlatformError{e.GOOS, e.GOARCH, e.GOHOSTOS} // another GOARCH may be emulated
	}
	return note, err
}

// downloaded reports whether GOROOT is below GOMODCACHE, where -overlay may not replace files.
func (e *env) downloaded() bool {
	if e.GOMODCACHE == "" {
		return false
	}
	rel, err := filepath.Rel(e.GOMODCACHE, e.GOROOT)
	return err == nil && filepath.IsLocal(rel)
}

// Where programs run under control.
var (
	tested   = []string{"linux/amd64", "linux/arm64"}
	untested = []string{"darwin/amd64", "darwin/arm64"}
)

// Supported checks that programs run under control on a platform: note is what to tell the user
// about it, or "". The error is a [PlatformError].
func Supported(goos, goarch string) (note string, err error) {
	platform := goos + "/" + goarch
	switch {
	case slices.Contains(tested, platform):
		return "", nil
	case slices.Contains(untested, platform):
		return platform + ": everything compiles there, but it has not been tested", nil
	}
	return "", &PlatformError{goos, goarch, ""}
}

func platforms() string {
	return strings.Join(tested, " or ") + "; " + strings.Join(untested, " and ") + " are not tested"
}
