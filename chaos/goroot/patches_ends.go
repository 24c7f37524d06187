package goroot

// How executions end, and what is outside of them.
var ends = []Patch{
	before("os/exec_posix.go", "func startProcess(", "// For Windows, syscall.StartProcess above already returned a process handle.", "rouseChild(1)", "a child process lives in real time"),
	before("os/exec_unix.go", "func (p *Process) pidWait()", "return &ProcessState{", "rouseChild(-1)", "likewise"),
	before("os/pidfd_linux.go", "func (p *Process) pidfdWait()", "return &ProcessState{", "rouseChild(-1)", "likewise"),
	before("os/pidfd_linux.go", "func (p *Process) pidfdWait()", "var (", "rouseAwait(int(handle))", "others go on while a task waits for a child process: they may read what that writes"),
	replace("runtime/traceback.go", "func goroutineheader(", "if bubble := gp.bubble; bubble != nil {", "if bubble := gp.bubble; bubble != nil && bubble.ctl == nil {", "a group is no bubble to the user"),
	before("runtime/panic.go", "func gopanic(", "preprintpanics(&p)", "rouseLoud(); rousePanicked(e)", "the execution ends and has failed"),
	begin("runtime/panic.go", "func fatal(", "rouseLoud(); rouseFatal(s)", "likewise"),
	before("os/proc.go", "func Exit(", "runtime_beforeExit(code)", "rouseExit(code)", "likewise"),
	replace("runtime/mprof.go", "func Stack(", "tracebackothers(gp)", "tracebacksomeothers(gp, rouseShows)", "the harness is no leak of the test's"),
	begin("runtime/mprof.go", "func Stack(", "if all { rouseLooks() }", "a loop may wait for what others do"),
	begin("runtime/debug.go", "func NumGoroutine()", "if n := rouseCount(); n > 0 { return n }", "likewise"),
	begin("os/signal/signal.go", "func Notify(", "rouseInside(1); defer rouseInside(-1)", "it waits for goroutines outside"),
	begin("os/signal/signal.go", "func Stop(", "rouseInside(1); defer rouseInside(-1)", "likewise"),
	begin("os/signal/signal.go", "func cancel(", "rouseInside(1); defer rouseInside(-1)", "likewise"),
	begin("runtime/trace.go", "func StartTrace(", "if rouseIn() && !traceEnabled() { rouseLack(\"runtime/trace records nothing under control\"); return nil }", "an execution is not traced: switches of the engine are none of the tracer's"),
	begin("runtime/trace.go", "func readTrace(", "if rouseIn() && !traceEnabled() { return nil }", "likewise; package runtime/trace calls it by its link name").only("1.25"),
	begin("runtime/trace.go", "func ReadTrace(", "if rouseIn() && !traceEnabled() { return nil }", "likewise").only("1.26"),
	begin("runtime/pprof/pprof.go", "func StartCPUProfile(", "rouseInside(1); defer rouseInside(-1)", "its writer waits in the runtime"),
	begin("runtime/pprof/pprof.go", "func StopCPUProfile(", "rouseInside(1); defer rouseInside(-1)", "likewise"),
	replace("runtime/pprof/pprof.go", "func StartCPUProfile(", "go profileWriter(w)", "rouseGo(func() { profileWriter(w) })", "likewise"),
	replace("os/signal/signal.go", "func Notify(", "go watchSignalLoop()", "rouseGo(watchSignalLoop)", "it serves all executions"),
}
