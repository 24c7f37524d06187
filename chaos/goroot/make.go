package goroot

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// Options say for which Go the overlay is made.
type Options struct {
	Go         string   // the go command; "" is go
	Dir        string   // where the user's module is, as it may name a toolchain; "" is the current folder
	BuildFlags []string // the user's own, as -tags=x or -tags x; see Overlay.Flags
	Race       bool     // adds -race
	Debug      bool     // all packages except those of the standard library are compiled for a debugger
	User       string   // the file of the user's own -overlay, if BuildFlags and GOFLAGS have none
	Cache      string   // a folder; "" is rouse/goroot below os.UserCacheDir, or else one below GOCACHE
	GOOS       string   // "" means that of the go command
	GOARCH     string
	// CompileOnly is for a platform on which nothing will run: Make does not ask Supported.
	CompileOnly bool
	// Patches, if not nil, are applied instead of those of [Patches]. Tests of the self-test plant wrong ones.
	Patches []Patch
}

// An Overlay is what the go command needs to build a program under control.
type Overlay struct {
	File string // for -overlay
	// Flags are all build flags of go build and go test: those of Options.BuildFlags, and -overlay
	// and -gcflags, which are combined with the user's own from there and from GOFLAGS. go test also
	// wants -vet=off: vet runs in the folders of all packages, and those that are added are not there.
	Flags []string
	// Bare are the flags without the user's.
	Bare []string
	// Go is the command to run. It is not that of Options if the module names a toolchain that had to
	// be copied.
	Go string
	// Env is to be added to the environment of Go, and of nothing else.
	Env       []string
	GOROOT    string
	GoVersion string // as runtime.Version has it
	GOOS      string
	GOARCH    string
	Note      string // what to tell the user about the platform, or ""
	// Unverified is why the Go is not one of the releases that have been tried: programs may run differently
	// under control. It is "" for a release that has been tried.
	Unverified string
	// Dir is the folder of the overlay in the cache.
	Dir string
	// Cached: the overlay was in the cache already.
	Cached bool
}

// Make makes the overlay, or finds it in the cache, which takes milliseconds. It may be called by
// several processes at a time. If there is no overlay for the Go, the platform or the flags of the
// user, the error is a [VersionError], [RootError], [AnchorError], [PlatformError] or [FlagError];
// see [Refused].
func Make(ctx context.Context, o Options) (*Overlay, error) {
	e, err := environment(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := e.check(); err != nil {
		return nil, err
	}
	note := ""
	if !o.CompileOnly {
		if note, err = e.platform(); err != nil {
			return nil, err
		}
	}
	user, err := userFlags(e.GOFLAGS, o.BuildFlags)
	if err != nil {
		return nil, err
	}
	if user.overlay == "" {
		user.overlay = o.User
	}
	user.debug = o.Debug
	user.folders = folders(e.GOROOT)
	user.modules = e.modules(user.folders, o.Dir, user.modFile)
	user.byFolder = !older(e.minor(), "1.27")
	made, err := e.overlay(ctx, o, user)
	if err != nil {
		return nil, err
	}
	made.GoVersion, made.GOOS, made.GOARCH, made.Note = e.GOVERSION, e.GOOS, e.GOARCH, note
	// A profile would compile the standard library anew for each main package.
	made.Flags = append([]string{"-pgo=off"}, user.rest...)
	if o.Race {
		made.Flags = append(made.Flags, "-race")
	}
	made.Flags = append(made.Flags, "-overlay="+made.File)
	for _, flags := range user.compilerFlags() {
		made.Flags = append(made.Flags, "-gcflags="+flags)
	}
	made.Bare = bareFlags(user, made.Dir, o.Race)
	return made, nil
}

// bareFlags returns the flags of a build without flags of the user's.
func bareFlags(user *flags, dir string, race bool) []string {
	bare := flags{folders: user.folders, byFolder: user.byFolder}
	all := []string{"-pgo=off", "-overlay=" + filepath.Join(dir, overlayName)}
	if race {
		all = append(all, "-race")
	}
	for _, flags := range bare.compilerFlags() {
		all = append(all, "-gcflags="+flags)
	}
	return all
}

// overlay returns File, GOROOT, Go and Env, of the first folder for a cache that can be written.
func (e *env) overlay(ctx context.Context, o Options, user *flags) (*Overlay, error) {
	folders, err := e.folders(o.Cache)
	if err != nil {
		return nil, err
	}
	var failed []error
	for _, folder := range folders {
		made, err := e.overlayIn(ctx, o, user, cache{folder})
		if err == nil {
			return made, nil
		}
		if Refused(err) || ctx.Err() != nil {
			return nil, err
		}
		if !slices.ContainsFunc(failed, func(f error) bool { return f.Error() == err.Error() }) {
			failed = append(failed, err)
		}
	}
	return nil, errors.Join(failed...)
}

func (e *env) overlayIn(ctx context.Context, o Options, user *flags, c cache) (*Overlay, error) {
	made := &Overlay{GOROOT: e.GOROOT, Go: e.command}
	if e.downloaded() {
		root, err := c.toolchain(ctx, e.GOROOT, e.GOVERSION)
		if err != nil {
			return nil, err
		}
		made.GOROOT, made.Go = root, filepath.Join(root, "bin", "go")
		made.Env = []string{"GOROOT=" + root, "GOTOOLCHAIN=local"}
	}
	patches := patchesFor(e.minor())
	if o.Patches != nil {
		patches = o.Patches
	}
	dir, cached, err := c.entry(made.GOROOT, e.GOVERSION, e.GOEXPERIMENT, patches)
	if err != nil {
		return nil, err
	}
	sum, err := os.ReadFile(filepath.Join(dir, sumName))
	if err != nil {
		return nil, err
	}
	made.Dir, made.Cached, made.Unverified = dir, cached, unverified(e.GOVERSION, string(sum), e.GOEXPERIMENT)
	made.File = filepath.Join(dir, overlayName)
	if user.overlay != "" {
		made.File, err = merge(dir, user.overlay, o.Dir)
	}
	return made, err
}

// folders returns the folders that the cache may be in, best first. GOCACHE can be written, or the
// go command would not build anything.
func (e *env) folders(chosen string) ([]string, error) {
	if chosen != "" {
		abs, err := filepath.Abs(chosen)
		return []string{abs}, err
	}
	var folders []string
	if dir, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(dir, "rouse", "goroot"))
	}
	if filepath.IsAbs(e.GOCACHE) {
		folders = append(folders, filepath.Join(e.GOCACHE, "rouse-goroot"))
	}
	if len(folders) == 0 {
		return nil, errors.New("no folder for the overlay: neither HOME nor GOCACHE is set")
	}
	return folders, nil
}
