// Package campaign runs many executions: scenarios for a time or a count, in one process or
// several, the whole campaign or one shard of it. Run is the campaign, Merge joins the reports of
// shards.
//
// A campaign may keep a journal in its folder, a file of JSON lines: a description of the campaign, each
// execution or batch before it runs, and its result after. A campaign that is resumed re-runs from its
// beginning what was in progress at the kill: a native execution, or a batch, which for an exhaustive
// scenario is all of it. Finished executions are not repeated.
//
// Lines are written immediately, so that a kill cannot undo them. They are synced to the disk with each
// failure, recording and end of a scenario, and otherwise once a second, so that a power loss loses at
// most the last second. When the journal has grown by some megabytes, a journal of sums replaces it.
package campaign
