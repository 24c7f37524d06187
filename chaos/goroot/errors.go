package goroot

import (
	"errors"
	"fmt"
	"strings"
)

// Versions are the minor versions of Go that have been tried, oldest first: those that the Go team supports. There are
// no patches for older ones, and a newer one gets those of the last: see [Overlay.Unverified].
var Versions = []string{"1.26", "1.27"}

// A VersionError reports a version of Go that there are no patches for.
type VersionError struct {
	Version string // as runtime.Version has it
	Root    string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s (%s) is not supported: want Go %s or newer, which GOTOOLCHAIN can select", e.Version, e.Root, Versions[0])
}

// A RootError reports a GOROOT that is not that of the go command, or has no sources.
type RootError struct {
	Root    string
	Version string // of the command, if it is that of another Go
	Reason  string
}

func (e *RootError) Error() string {
	if e.Version == "" {
		return fmt.Sprintf("GOROOT=%s has no sources of the standard library, which some packages of Go leave out: %s", e.Root, e.Reason)
	}
	return fmt.Sprintf("GOROOT=%s is not that of %s: %s", e.Root, e.Version, e.Reason)
}

// An AnchorError lists the anchors that a GOROOT lacks.
type AnchorError struct {
	Version string
	Root    string
	Missing []string // file, declaration and line of each
}

func (e *AnchorError) Error() string {
	return fmt.Sprintf("%s (%s) is newer than this rouse, or has been modified: want an unmodified Go %s; these lines are not there:\n\t%s",
		e.Version, e.Root, strings.Join(Versions, " or "), strings.Join(e.Missing, "\n\t"))
}

// A PlatformError reports a platform on which nothing can run under control, or not here.
type PlatformError struct {
	GOOS, GOARCH string
	Host         string // the GOOS of this machine, if that is the reason
}

func (e *PlatformError) Error() string {
	if e.Host != "" {
		return fmt.Sprintf("tests built for %s/%s cannot run here: want GOOS=%s", e.GOOS, e.GOARCH, e.Host)
	}
	return fmt.Sprintf("%s/%s is not supported: want %s", e.GOOS, e.GOARCH, platforms())
}

// A FlagError reports a build flag of the user's that does not go with the overlay.
type FlagError struct {
	Flag   string
	Reason string
}

func (e *FlagError) Error() string { return e.Flag + ": " + e.Reason }

// Refused reports whether an error of Make is about what the user has passed or installed.
func Refused(err error) bool {
	for _, target := range []any{new(*VersionError), new(*RootError), new(*AnchorError), new(*PlatformError), new(*FlagError)} {
		if errors.As(err, target) {
			return true
		}
	}
	return false
}
