package goroot

// How executions end.
var ends = []Patch{
	replace("runtime/traceback.go", "func goroutineheader(", "if bubble := gp.bubble; bubble != nil {", "if bubble := gp.bubble; bubble != nil && bubble.ctl == nil {", "a group is no bubble to the user"),
	before("runtime/panic.go", "func gopanic(", "preprintpanics(&p)", "rouseLoud(); rousePanicked(e)", "the execution ends and has failed"),
	begin("runtime/panic.go", "func fatal(", "rouseLoud(); rouseFatal(s)", "likewise"),
}
