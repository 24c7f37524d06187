package suite

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/internal/process"
)

// Debuggee builds the test of a recording for a debugger, in the given folder. It returns a program that repeats the
// recording once and stops for the debugger before the given step. Step 0 is the decisive one, which Debuggee finds
// in another process. Otherwise Debuggee is like NewRepeater.
func Debuggee(ctx context.Context, o Options, file string, rec *recording.Recording, step int, folder string) (*Program, error) {
	if rec.Kind == recording.Native {
		return nil, &InputError{file + ": it is a native recording, which has no schedule to repeat exactly"}
	}
	o.Build.Debug, o.Temporary = true, folder
	r, err := NewRepeater(ctx, o, file, rec)
	if err != nil {
		return nil, err
	}
	defer r.guard.Close()
	var said []string
	if step == 0 {
		if step, said, err = r.decisive(ctx); err != nil {
			return nil, err
		}
	}
	p := r.test.program
	setup := p.setup
	setup.Version, setup.Start, setup.Debug = wire.Version, rec.Start, folder
	d := &Program{Binary: p.binary, Args: p.args, Dir: p.dir, Own: setup.Own, Step: step, Said: said, First: r.test.function(), environment: p.env, numbers: folder}
	if p.race {
		setup.RaceLog = filepath.Join(folder, "race")
		d.Set = append(d.Set, wire.RaceVariable+"="+wire.RaceOptions(os.Getenv(wire.RaceVariable), setup.RaceLog))
	}
	text, err := json.Marshal(setup)
	if err != nil {
		return nil, err
	}
	d.Set = append(d.Set, "PWD="+p.dir, tracebacks, procs, wire.Variable+"="+string(text)) // as for a worker
	text, err = json.Marshal(wire.Request{Do: wire.Debug, Test: r.test.name, Settings: r.Settings, Recording: rec.String(), Step: step})
	if err != nil {
		return nil, err
	}
	return d, os.WriteFile(filepath.Join(folder, wire.DebugRequest), text, 0o600)
}

// decisive returns the decisive step of the recording, and lines that describe what leads to it. It uses another
// process than the debugged one, because the recording may be of the first execution in a process.
func (r *Repeater) decisive(ctx context.Context) (step int, said []string, err error) {
	runtime.LockOSThread() // the worker ends with the thread
	defer runtime.UnlockOSThread()
	a, died, err := r.askAsOf(ctx, r.test, r.rec, wire.Request{Decide: true}, nil)
	if r.worker != nil {
		r.worker.close()
	}
	switch {
	case err != nil:
		return 0, nil, r.input(err)
	case died != nil:
		return 0, nil, withoutDebugger(died, r.Timeout)
	}
	return a.Step, a.Said, nil
}

// withoutDebugger returns the error for a program that dies or hangs when it runs without a debugger.
func withoutDebugger(d *death, timeout time.Duration) error {
	return &InputError{"without a debugger: " + d.what(timeout) + "\n" + d.report()}
}

// function returns the name of the test's function for a debugger.
func (t *test) function() string {
	path := t.pkg.ImportPath
	file := filepath.Base(t.pkg.declarations()[t.name].file)
	if slices.Contains(t.pkg.XTestGoFiles, file) {
		path += "_test"
	}
	return path + "." + strings.TrimSuffix(t.name, recording.SecondTest)
}

// procs sets GOMAXPROCS of a worker that controls its executions.
var procs = "GOMAXPROCS=" + strconv.Itoa(workerProcs)

// A Program is a program that a debugger can run.
type Program struct {
	Binary string
	Args   []string
	Dir    string   // working directory
	Set    []string // environment variables that it needs
	Own    []string // modules whose code is the user's own; nil is all code but the standard library

	Step int      // it stops before this step; 0 is the decisive one, which it finds
	Said []string // lines for the user on what led to the step

	First string // the function that the first task runs; "" if unknown

	// Temporary is the folder, used by this program alone, where package testing makes temporary folders for tests; ""
	// is elsewhere.
	Temporary string

	environment []string // the other variables; nil for those of this process
	numbers     string   // folder of the workers' number files; "" if none
}

// Environment returns the environment in which the program runs.
func (p *Program) Environment() []string {
	if p.environment == nil {
		return append(os.Environ(), p.Set...)
	}
	return append(slices.Clone(p.environment), p.Set...)
}

// RemoveMade removes the temporary folders that tests made and did not remove because a debugger ended them.
func (p *Program) RemoveMade() {
	if p.numbers != "" {
		for _, e := range entries(p.numbers) {
			removeMadeOf(filepath.Join(p.numbers, e.Name()))
		}
	}
	if p.Temporary != "" {
		for _, e := range entries(p.Temporary) {
			if e.IsDir() && made.MatchString(e.Name()) {
				os.RemoveAll(filepath.Join(p.Temporary, e.Name())) //nolint:errcheck // it goes with the folder
			}
		}
	}
}

func entries(dir string) []os.DirEntry {
	all, _ := os.ReadDir(dir) // ignore what is not readable
	return all
}

// Run runs the program without a debugger and returns its output. If the program has not exited after the timeout,
// or uses more than memory bytes (0 is no limit), Run ends it and returns an *InputError with its goroutines.
// Time is measured in ticks, like the silence of workers. Processes that the program started end with it.
func (p *Program) Run(ctx context.Context, timeout time.Duration, memory int64) (output string, err error) {
	if _, err := exec.LookPath(p.Binary); err != nil {
		return "", err
	}
	guard, err := process.NewGuard()
	if err != nil {
		return "", err
	}
	defer guard.Close()
	cmd := process.Command(ctx, p.Binary, p.Args...)
	var out process.Ends
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.Dir, append(p.Environment(), tracebacks), &out, &out
	runtime.LockOSThread() // the program ends with the thread
	defer runtime.UnlockOSThread()
	if err := guard.Start(cmd); err != nil {
		return "", err
	}
	var strays process.Strays
	defer func() {
		process.Kill(cmd) // what is left of its process group
		strays.Kill()
		guard.End(cmd)
	}()
	ended := make(chan struct{})
	go func() {
		cmd.Wait() //nolint:errcheck // it is expected to end by a signal
		close(ended)
	}()
	end := func(how func(*exec.Cmd), d death) (string, error) {
		how(cmd)
		select {
		case <-ended:
		case <-time.After(graceTime):
			process.Kill(cmd)
			<-ended
		}
		d.output = out.String()
		return "", withoutDebugger(&d, timeout)
	}
	ticks, looks := time.NewTicker(max(timeout/silentTicks, time.Millisecond)), time.NewTicker(process.MemoryTick)
	defer ticks.Stop()
	defer looks.Stop()
	for silent := 0; ; {
		select {
		case <-ended:
			return out.String(), context.Cause(ctx)
		case <-ticks.C:
			if silent++; silent >= silentTicks {
				return end(process.Interrogate, death{hangs: true, stopped: process.Stopped(cmd)})
			}
		case <-looks.C:
			for _, target := range strays.Look(cmd.Process.Pid) {
				guard.AddTarget(target)
			}
			if memory > 0 && process.Resident(cmd) > memory {
				return end(process.Kill, death{memory: memory})
			}
		}
	}
}
