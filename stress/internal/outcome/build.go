package outcome

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
)

// A Build describes the program that ran, for readers of a report or a recording elsewhere.
type Build struct {
	Version  string // of the module, with the commit if the build knows it
	Go       string
	OS, Arch string
	MaxProcs int
	Race     bool // the race detector is in
	// LeakProfile means that the runtime finds goroutines that nothing can wake any more
	// (GOEXPERIMENT=goroutineleakprofile), and the leak oracle quotes it.
	LeakProfile bool
}

// String returns the build in one line.
func (b Build) String() string {
	race := ""
	if b.Race {
		race = ", race detector on"
	}
	if b.LeakProfile {
		race += ", goroutine-leak profile"
	} else {
		race += ", no goroutine-leak profile"
	}
	return fmt.Sprintf("rouse %s, %s %s/%s, GOMAXPROCS %d%s", b.Version, b.Go, b.OS, b.Arch, b.MaxProcs, race)
}

// ThisBuild describes the running program.
func ThisBuild() Build {
	b := Build{
		Version: "unknown", Go: runtime.Version(),
		OS: runtime.GOOS, Arch: runtime.GOARCH, MaxProcs: runtime.GOMAXPROCS(0), LeakProfile: pprof.Lookup("goroutineleak") != nil,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			if b.Version == "(devel)" {
				b.Version = s.Value
			}
		case "-race":
			b.Race = s.Value == "true"
		}
	}
	return b
}

// ProgramHash returns a hash of the running program's file. It distinguishes builds of a changed source, which
// all have the version "(devel)". It is empty if the file can't be read.
var ProgramHash = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:16]
})
