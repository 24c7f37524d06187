// Package private keeps files for this user alone, and reports whether the process that made a
// file still runs: that process holds a lock on the file while it runs.
//
// A name in a shared folder such as /tmp can be taken by another user before, as a link to a
// file of ours. Files here are in a folder whose owner and mode have been checked
// after it was opened, and have names that cannot be guessed.
//
// It imports the standard library and golang.org/x/sys.
package private
