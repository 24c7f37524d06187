package recording

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
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
	// Unverified: of stress test, with a version of Go that has not been tried before.
	Unverified = "unverified"
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
func (r *Recording) Race() bool { return slices.Contains(r.buildWords(), buildRace) }

// System returns the GOOS of the binary that recorded it, or "" if the recording does not have
// it.
func (r *Recording) System() string {
	for word := range strings.FieldsSeq(r.Build) {
		if system, _, ok := strings.Cut(word, "/"); ok && validPlatform.MatchString(word) {
			return system
		}
	}
	return ""
}

// buildWords returns the words after the platform.
func (r *Recording) buildWords() []string {
	words := strings.Fields(r.Build)
	return words[1+slices.IndexFunc(words, validPlatform.MatchString):]
}

var (
	validPlatform = regexp.MustCompile(`^[a-z][a-z0-9]*/[a-z][a-z0-9]*$`)
	validTags     = regexp.MustCompile(`^[\pL\pN_.]+(,[\pL\pN_.]+)*$`)
	validCPU      = regexp.MustCompile(`^[1-9][0-9]{0,5}$`)
	validVersion  = regexp.MustCompile(`^[0-9A-Za-z._+-]+$`)
)

// checkBuild looks for a word that ThisBuild does not write. It returns what it found, at which byte, and
// what it wants there; "" for found if all is well. A version of Go may have several words, as in
// "devel go1.27-33d3f603c1" or "go1.26.8 X:nodwarf5".
func checkBuild(build string) (at int, found, want string) {
	if build == "" {
		return 0, "", ""
	}
	platform := false
	var seen []string
	for _, word := range strings.Split(build, " ") {
		name, value, _ := strings.Cut(word, "=")
		switch name += "="; {
		case !platform && validPlatform.MatchString(word):
			platform = true
		case !platform && word != "" && strings.IndexFunc(word, func(r rune) bool { return !strconv.IsPrint(r) }) < 0 && !strings.Contains(word, "/"):
		case !platform:
			return at, quote(word), `a version of Go and a platform such as "go1.26.0 linux/amd64"`
		case word == buildRace, word == Unverified,
			name == buildTags && validTags.MatchString(value),
			name == buildCPU && validCPU.MatchString(value),
			name == buildVersion && validVersion.MatchString(value):
			if slices.Contains(seen, name) {
				return at, "a second " + quote(strings.TrimSuffix(name, "=")), "one"
			}
			seen = append(seen, name)
		default:
			return at, quote(word), `race, or a word such as "tags=slow,net", "cpu=4" or "version=v1.2.3"`
		}
		at += len(word) + 1
	}
	if !platform {
		return len(build), "the end of the line", `a platform such as "linux/amd64"`
	}
	return 0, "", ""
}

// BuildFlags returns the flags of the go command that make a binary like the recorded one, except for
// an overlay.
func (r *Recording) BuildFlags() []string {
	var tags, flags []string
	if r.Kind != Unmodified {
		tags = append(tags, "chaos")
	}
	for _, word := range r.buildWords() {
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
