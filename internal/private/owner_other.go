//go:build !unix

package private

import "io/fs"

const noLink = 0

// Modes say nothing here. On Windows both places are inside the user's profile.
func owned(fs.FileInfo) bool      { return true }
func ownedAlone(fs.FileInfo) bool { return true }
