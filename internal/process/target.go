package process

// A Target is what a guard kills: a group, or if that is 0, one process.
type Target struct {
	Group, Process int
	start          string // when the process began: another one may get its number
}
