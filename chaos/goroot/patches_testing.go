package goroot

// Tests run as executions.
var testings = []Patch{
	replace("testing/testing.go", "func tRunner(", "fn(t)", "rouseRun(t, fn)", "a top-level test is an execution"),
	begin("testing/testing.go", "func (t *T) Parallel()", "if rouse.On != 0 && rouse.Controlled() != 0 { return }", "tests of one process take turns"),
}
