// Package campaign runs many executions: scenarios for a time or a count, in one process or
// several, the whole campaign or one shard of it. Run is the campaign, Merge joins the reports of
// shards.
//
// A campaign may keep a journal in its folder, a file of JSON lines: what the campaign is, each
// execution or batch before it runs, and its result after. A campaign that is resumed runs again what
// was in progress at the kill, from its beginning: a native execution, or a batch, which for an
// exhaustive scenario is all of it. What has ended is not repeated.
//
// Lines are written at once, which a kill cannot undo. They are synced to the disk with each failure,
// recording and end of a scenario, else once a second, so that a loss of power loses at most the last
// second. When the journal has grown by some megabytes, one of sums replaces it.
package campaign
