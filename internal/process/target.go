package process

// A Target is a group, or if that is 0, one process, that a guard kills.
type Target struct {
	Group, Process int
	start          string // when the process began: another one may get its number
}
