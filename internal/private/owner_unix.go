//go:build unix

package private

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noLink makes opening anything but a folder fail at once.
const noLink = unix.O_NOFOLLOW | unix.O_DIRECTORY

// owned reports whether a file belongs to this user.
func owned(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}

// ownedAlone reports whether a file belongs to this user and no other user can read or write it.
func ownedAlone(info fs.FileInfo) bool { return owned(info) && info.Mode().Perm()&0o077 == 0 }
