// Package private keeps files for this user alone, and says of a file whether the process
// that made it still runs: it holds a lock for as long as it does.
//
// A name in a shared folder such as /tmp can be taken by another user before, as a link to a
// file of ours. Files here are in a folder whose owner and mode have been checked
// after it was opened, and have names that cannot be guessed.
//
// It imports the standard library and golang.org/x/sys.
package private
