package goroot

import (
	"slices"
	"strings"
)

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
