// Package campaign runs many executions: scenarios for a time or a count, in one process or
// several, the whole campaign or one shard of it.
//
// A campaign may keep a journal, a file of JSON lines in its folder: what the campaign is, each
// execution or batch before it runs, and its outcome after. On resume, what was in progress when
// the process was killed runs again from its beginning: a native execution, or a batch, which of an
// exhaustive scenario is all of it. What has ended is not repeated.
//
// Lines are written at once, which a kill cannot undo, and synced to the disk with each failure,
// recording and end of a scenario, else once a second: a machine that loses its power loses at
// most the last second. When the journal has grown by some megabytes, one that holds sums takes its
// place (a temporary file, renamed).
package campaign
