package suite

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
)

// Debuggee builds the test of a recording for a debugger, in that folder, and returns a program that
// repeats the recording once and stops for the debugger before the step; 0 is the decisive one. It is as
// NewRepeater otherwise.
func Debuggee(ctx context.Context, o Options, file string, rec *recording.Recording, step int, folder string) (*Program, error) {
	if rec.Kind == recording.Native {
		return nil, &InputError{file + ": it is a native recording, which has no schedule to repeat exactly"}
	}
	o.Build.Debug, o.Temporary = true, folder
	r, err := NewRepeater(ctx, o, file, rec)
	if err != nil {
		return nil, err
	}
	p, request := r.test.program, filepath.Join(folder, "request.json")
	setup := p.setup
	setup.Version, setup.Start, setup.Debug = wire.Version, rec.Start, request
	d := &Program{Binary: p.binary, Args: p.args, Dir: p.dir, Own: setup.Own, First: r.test.function(), environment: p.env}
	if p.race {
		setup.RaceLog = filepath.Join(folder, "race")
		d.Set = append(d.Set, wire.RaceVariable+"="+wire.RaceOptions(os.Getenv(wire.RaceVariable), setup.RaceLog))
	}
	text, err := json.Marshal(setup)
	if err != nil {
		return nil, err
	}
	d.Set = append(d.Set, procs, wire.Variable+"="+string(text))
	text, err = json.Marshal(wire.Request{Do: wire.Debug, Test: r.test.name, Settings: r.Settings, Recording: rec.String(), Step: step})
	if err != nil {
		return nil, err
	}
	return d, os.WriteFile(request, text, 0o600)
}

// function is the one of a test, as a debugger names it.
func (t *test) function() string {
	path := t.pkg.ImportPath
	file := filepath.Base(t.pkg.declarations()[t.name].file)
	if slices.Contains(t.pkg.XTestGoFiles, file) {
		path += "_test"
	}
	return path + "." + strings.TrimSuffix(t.name, recording.SecondTest)
}

// procs is GOMAXPROCS of a worker that controls its executions.
var procs = "GOMAXPROCS=" + strconv.Itoa(workerProcs)

// A Program is one that a debugger can run.
type Program struct {
	Binary string
	Args   []string
	Dir    string   // in which it runs
	Set    []string // variables of the environment that it needs
	Own    []string // the modules whose code is the user's own; nil is all but the standard library

	First string // the function that the first task runs; "" is unknown

	environment []string // the others; nil is that of this process
}

// Environment is that of the process.
func (p *Program) Environment() []string {
	if p.environment == nil {
		return append(os.Environ(), p.Set...)
	}
	return append(slices.Clone(p.environment), p.Set...)
}
