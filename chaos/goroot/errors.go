package goroot

import (
	"fmt"
	"strings"
)

// Versions are the minor versions of Go that there are patches for.
var Versions = []string{"1.25", "1.26"}

// A VersionError says that there are no patches for a version of Go.
type VersionError struct {
	Version string // as runtime.Version has it
	Root    string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s (%s) is not supported: want Go %s", e.Version, e.Root, strings.Join(Versions, " or "))
}

// An AnchorError says which anchors are not in a GOROOT as they are in its version of Go.
type AnchorError struct {
	Version string
	Root    string
	Missing []string
}

func (e *AnchorError) Error() string {
	return fmt.Sprintf("%s (%s) does not match: want an unmodified Go %s; %d anchors differ:\n\t%s",
		e.Version, e.Root, strings.Join(Versions, " or "), len(e.Missing), strings.Join(e.Missing, "\n\t"))
}
