package recording

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/racing"
)

// Words of a build after Go version and platform, where they apply.
const (
	buildRace = "race"
	buildTags = "tags=" // other than chaos, which only unmodified recordings name
	buildCPU  = "cpu="  // GOMAXPROCS, where that is not the number of processors
	// of the main module, or else its commit
	buildVersion = "version="
)

// ThisBuild describes the running binary for Recording.Build: "go1.26.0 linux/amd64 race".
func ThisBuild() string {
	words, version := thisBuild(func(tag string) bool { return tag != "chaos" })
	if n := runtime.GOMAXPROCS(0); n != runtime.NumCPU() {
		words = append(words, fmt.Sprintf("%s%d", buildCPU, n))
	}
	return strings.Join(append(words, version...), " ")
}

// ThisUnmodifiedBuild describes the running binary for an unmodified recording: which may have the tag
// chaos or not, and whose schedules do not depend on GOMAXPROCS.
func ThisUnmodifiedBuild() string {
	words, version := thisBuild(func(string) bool { return true })
	return strings.Join(append(words, version...), " ")
}

// thisBuild returns the words of the running binary, and that of its version if it has one.
func thisBuild(names func(tag string) bool) (words, versions []string) {
	words = []string{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	if racing.Detector {
		words = append(words, buildRace)
	}
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = strings.TrimPrefix(info.Main.Version, "(devel)")
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				version = cmp.Or(version, s.Value)
			}
			if s.Key != "-tags" {
				continue
			}
			tags := slices.DeleteFunc(strings.Split(s.Value, ","), func(tag string) bool { return tag == "" || !names(tag) })
			if len(tags) > 0 {
				words = append(words, buildTags+strings.Join(tags, ","))
			}
		}
	}
	if version != "" {
		versions = append(versions, buildVersion+version)
	}
	return words, versions
}

// Race reports whether the recording was made by a binary with the race detector.
func (r *Recording) Race() bool { return slices.Contains(strings.Fields(r.Build), buildRace) }

var (
	validTags = regexp.MustCompile(`^[\pL\pN_.]+(,[\pL\pN_.]+)*$`)
	validCPU  = regexp.MustCompile(`^[1-9][0-9]{0,5}$`)
)

// BuildFlags are those of the go command that make a binary like the recorded one, but for an overlay.
func (r *Recording) BuildFlags() []string {
	var tags, flags []string
	if r.Kind != Unmodified {
		tags = append(tags, "chaos")
	}
	for _, word := range strings.Fields(r.Build) {
		if more, ok := strings.CutPrefix(word, buildTags); ok && validTags.MatchString(more) {
			tags = append(tags, more)
		}
		if n, ok := strings.CutPrefix(word, buildCPU); ok && validCPU.MatchString(n) {
			flags = append(flags, "-cpu", n)
		}
		if word == buildRace {
			flags = append(flags, "-race")
		}
	}
	if len(tags) > 0 {
		flags = append([]string{"-tags", strings.Join(tags, ",")}, flags...)
	}
	return flags
}
