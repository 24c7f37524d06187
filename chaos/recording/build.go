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
	buildTags = "tags=" // other than chaos
	buildCPU  = "cpu="  // GOMAXPROCS, where that is not the number of processors
	// of the main module, or else its commit
	buildVersion = "version="
)

// ThisBuild describes the running binary for Recording.Build: "go1.26.0 linux/amd64 race".
func ThisBuild() string {
	words := []string{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
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
			tags := slices.DeleteFunc(strings.Split(s.Value, ","), func(tag string) bool { return tag == "chaos" || tag == "" })
			if len(tags) > 0 {
				words = append(words, buildTags+strings.Join(tags, ","))
			}
		}
	}
	if n := runtime.GOMAXPROCS(0); n != runtime.NumCPU() {
		words = append(words, fmt.Sprintf("%s%d", buildCPU, n))
	}
	if version != "" {
		words = append(words, buildVersion+version)
	}
	return strings.Join(words, " ")
}

// Race reports whether the recording was made by a binary with the race detector.
func (r *Recording) Race() bool { return slices.Contains(strings.Fields(r.Build), buildRace) }

var (
	validTags = regexp.MustCompile(`^[\pL\pN_.]+(,[\pL\pN_.]+)*$`)
	validCPU  = regexp.MustCompile(`^[1-9][0-9]{0,5}$`)
)

// buildFlags are those of go test that make such a binary.
func (r *Recording) buildFlags() []string {
	tags, flags := "chaos", []string(nil)
	for _, word := range strings.Fields(r.Build) {
		if more, ok := strings.CutPrefix(word, buildTags); ok && validTags.MatchString(more) {
			tags = "chaos," + more
		}
		if n, ok := strings.CutPrefix(word, buildCPU); ok && validCPU.MatchString(n) {
			flags = append(flags, "-cpu", n)
		}
		if word == buildRace {
			flags = append(flags, "-race")
		}
	}
	return append([]string{"-tags", tags}, flags...)
}
