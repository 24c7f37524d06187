package goroot

// A test binary serves the requests of stress test, and package testing itself has no points.
var testings = []Patch{
	after("testing/testing.go", "func (m *M) Run()", "defer m.after()", "if rouseServe(m) { return }", "a worker of stress test runs no test by itself"),
	replace("testing/testing.go", "func (t *T) Parallel()", "t.signal <- true // Release calling test.", "rouse.Quiet(1); t.signal <- true; rouse.Quiet(-1)", "that it waits is no schedule"),
	replace("testing/testing.go", "func (t *T) Parallel()", "<-t.parent.barrier // Wait for the parent test to complete.", "if !rouseParallels(t) { <-t.parent.barrier }", "a test that is an execution has no task for its root"),
	replace("testing/testing.go", "func tRunner(", "t.runner = callerName(0)", "t.runner = \"testing.tRunner\"; rouseNamed(&t.common)", "it took a fifth of a short execution; a subtest is called by its name"),
	replace("testing/testing.go", "func tRunner(", "t.signal <- signal", "rouse.Quiet(1); t.signal <- signal; rouse.Quiet(-1)", "that it has ended is no schedule"),
	replace("testing/testing.go", "func (c *common) runCleanup(", "c.cancelCtx()", "rouse.Quiet(1); c.cancelCtx(); rouse.Quiet(-1)", "the locks of the test's own context are no schedule of it"),
	after("testing/testing.go", "func (t *T) Run(", "t.setOutputWriter()", "rouseBegun(&t.common)", "the output of tests that do not end"),
	after("testing/fuzz.go", "func (f *F) Fuzz(", "t.setOutputWriter()", "rouseBegun(&t.common)", "likewise"),
	replace("testing/fuzz.go", "func (f *F) Fuzz(", "signal: make(chan bool),", "signal: make(chan bool, 1),", "as T.Run has it: a send that waits is a schedule"),
	replace("testing/fuzz.go", "func (f *F) Fuzz(", "ctx, cancelCtx := context.WithCancel(f.ctx)", "rouse.Quiet(1); ctx, cancelCtx := context.WithCancel(f.ctx); rouse.Quiet(-1)", "the locks of the test's own context are no schedule of it"),
	replace("testing/fuzz.go", "func (f *F) Fuzz(", "c, err := f.fstate.deps.ReadCorpus(filepath.Join(corpusDir, f.name), types)", "rouse.Quiet(1); c, err := f.fstate.deps.ReadCorpus(filepath.Join(corpusDir, f.name), types); rouse.Quiet(-1)", "nor are those of its files"),
	replace("testing/fuzz.go", "func fRunner(", "f.signal <- true", "rouse.Quiet(1); f.signal <- true; rouse.Quiet(-1)", "that it has ended is no schedule"),
	after("testing/testing.go", "func (c *common) log(", "s = n.callSite(3) + s", "rouseLogged(s)", "the message of a failed test"),
	begin("testing/testing.go", "func (c *common) Fail()", "rouseFailed()", "the message of a failed test"),
	begin("testing/testing.go", "func (c *common) checkRaces()", "if rouseCurrent() != nil { return 0 }", "the worker counts races by execution"),
	begin("testing/allocs.go", "func AllocsPerRun(", "if rouseCurrent() != nil { return rouseAllocs(runs, f) }", "the engine allocates too"),
	replace("testing/testing.go", "type common struct", "mu sync.RWMutex // guards this group of fields", "mu rouseRWMutex", "logging and failing is no schedule"),
	replace("testing/testing.go", "type common struct", "tempDirMu sync.Mutex", "tempDirMu rouseMutex", "likewise"),
	replace("testing/testing.go", "func (c *common) TempDir() string", "if err := os.Mkdir(dir, 0o777); err != nil {", "rouse.Quiet(1); err := os.Mkdir(dir, 0o777); rouse.Quiet(-1); if err != nil {", "as for os.MkdirTemp").only("1.25"),
	replace("testing/testing.go", "func (c *common) makeTempDir()", "if err := os.Mkdir(dir, 0o777); err != nil {", "rouse.Quiet(1); err := os.Mkdir(dir, 0o777); rouse.Quiet(-1); if err != nil {", "likewise").only("1.26"),
	replace("testing/testing.go", "type testState struct", "mu sync.Mutex", "mu rouseMutex", "likewise"),
	replace("testing/match.go", "type matcher struct", "mu sync.Mutex", "mu rouseMutex", "likewise"),
	replace("testing/testing.go", "\trunning sync.Map", "running sync.Map // map[string]time.Time of running, unpaused tests", "running rouseMap", "likewise"),
}
