// Package atomicfile writes files that appear complete or not at all: recordings, journals,
// reports.
//
// The content goes to a temporary file in the same folder, is synced to the disk, and only then
// gets its name, by a rename or a link. After a crash or a power loss the name therefore leads
// to the old content or to all of the new one. The folder itself is not synced: a power loss may
// undo the rename. A process that is killed leaves its temporary file; see RemoveStale and Sweep.
//
// It imports the standard library only.
package atomicfile
