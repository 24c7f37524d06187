package suite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
	"github.com/rouse-go/rouse/internal/process"
	"github.com/rouse-go/rouse/internal/shell"
)

// A Try is one repetition of a recording.
type Try struct {
	Exact      bool // it had the recorded trace
	Reproduced bool // it failed as recorded
	Differs    string
	Unused     int      // decisions of the recording that did not apply
	Gone       []string // what is missing for the unused decisions, one line each
	Skipped    bool     // the test has called Skip
	Verdict    verdict.Verdict
	Summary    string
	Report     string
	Page       *explain.Page // the report as data; nil if there is only the text
	// Timelines holds the executions as data if Options.Timelines is set. It may be nil.
	Timelines *explain.Timelines
}

// A Repeater repeats a recording of a test in workers of its own.
type Repeater struct {
	slot
	test *test
	rec  *recording.Recording
}

// NewRepeater builds the test of a recording, also with the build flags that the recording has. Packages, if any are
// given, must include the package of the recording. The caller must call Close.
func NewRepeater(ctx context.Context, o Options, file string, rec *recording.Recording) (*Repeater, error) {
	o.complete()
	pkg, name, err := rec.Test()
	if err != nil {
		return nil, &InputError{fmt.Sprintf("%s: %v", file, err)}
	}
	o.Build.as(rec)
	o.Native = rec.Kind == recording.Native
	s := &session{Options: o, ends: map[string]*ending{}}
	s.changed.L = &s.mu
	p, err := s.packageOf(ctx, file, pkg)
	if err != nil {
		return nil, err
	}
	if err = s.makeOverlays(ctx); err != nil {
		return nil, err
	}
	if err = s.makeTemporary(); err != nil {
		return nil, err
	}
	if s.guard, err = process.NewGuard(); err != nil {
		s.remove() //nolint:errcheck // the next run tries again
		return nil, err
	}
	r := &Repeater{slot: slot{session: s}, rec: rec}
	if r.test, err = s.only(ctx, p, name); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// as adds the build flags of a recording. The worker reads the other settings from the recording.
func (b *Build) as(rec *recording.Recording) {
	flags := rec.BuildFlags()
	b.Short = b.Short || slices.Contains(rec.Options, "short")
	b.Race = b.Race || rec.Race()
	if i := slices.Index(flags, "-tags"); i >= 0 && b.Tags == "" {
		b.Tags = flags[i+1]
	}
	if rec.Kind == recording.Native { // a native build never has the tag
		b.Tags = strings.Trim(strings.TrimPrefix(b.Tags, "chaos"), ",")
	}
}

// packageOf returns the package of a recording: one of s.Packages if there are any, or else the one that the go
// command finds from the current folder or from the folder of the recording.
func (s *session) packageOf(ctx context.Context, file, path string) (*listed, error) {
	if len(s.Packages) > 0 {
		all, err := s.list(ctx)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(all, func(p *listed) bool { return p.ImportPath == path }); i >= 0 {
			return all[i], nil
		}
		return nil, &InputError{fmt.Sprintf("%s: it is a recording of %s, which is not among the packages", file, path)}
	}
	s.Packages = []string{path}
	all, err := s.list(ctx)
	var input *InputError
	if errors.As(err, &input) || err == nil && !all[0].tested() {
		s.dir = filepath.Dir(file)
		if there, errThere := s.list(ctx); errThere == nil && there[0].tested() {
			return there[0], nil
		}
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// only builds the package and returns the test of that name.
func (s *session) only(ctx context.Context, p *listed, name string) (*test, error) {
	b := &builder{Options: &s.Options, tmp: s.tmp, overlay: s.overlay}
	if s.build == nil {
		s.build = b.goTest
	}
	binary, problem, err := s.build(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case problem != "":
		return nil, &InputError{fmt.Sprintf("%s cannot be tested:\n%s", p.ImportPath, problem)}
	case binary == "":
		return nil, &InputError{p.ImportPath + " has no tests"}
	}
	return newTest(b.program(binary, p, 0), p, name, place{}, &s.Options, false), nil
}

// Close ends the worker and removes temporary files.
func (r *Repeater) Close() {
	if r.worker != nil {
		r.worker.close()
	}
	r.guard.Close()
	r.remove() //nolint:errcheck // the next run tries again
}

// Again repeats the recording once, in a new worker. If the execution to compare with cannot be used, the error is an
// *explore.AgainstError.
func (r *Repeater) Again(ctx context.Context) (Try, error) {
	runtime.LockOSThread() // the worker ends with the thread
	defer runtime.UnlockOSThread()
	if r.Native {
		return r.againNative(ctx)
	}
	a, died, err := r.replay(ctx, r.test, r.rec, nil)
	switch {
	case err != nil:
		return Try{}, r.input(err)
	case died != nil:
		return Try{Differs: died.what(r.Timeout), Verdict: verdict.Uncontrolled, Report: died.report()}, nil
	case a.Kind == wire.Incomparable:
		return Try{}, &explore.AgainstError{Reason: a.Reason}
	}
	t := Try{
		Exact: a.Likeness == likeExact, Reproduced: a.Likeness == likeExact || a.Likeness == likeSame, Differs: a.Reason,
		Unused: a.Unused, Gone: a.Gone, Skipped: a.Skipped, Verdict: verdict.Pass,
	}
	if f := a.Failure; f != nil {
		t.Verdict, t.Summary = f.Verdict, f.Summary
		t.Report, t.Page = shown(f)
		t.Timelines = timelinesOf(f)
	}
	return t, nil
}

// Shrink looks for a shorter schedule that fails in the same way and that another worker can repeat. It returns
// nil and the reason if it finds none.
func (r *Repeater) Shrink(ctx context.Context) (shorter *recording.Recording, reason string, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	was := r.test.program.setup.Start
	r.test.program.setup.Start = r.rec.Start
	defer func() { r.test.program.setup.Start = was }()
	a, died, err := r.ask(ctx, r.test, true, r.shrinking(r.test, &wire.Failure{Recording: r.rec.String()}, false), ignore, nil)
	switch {
	case err != nil:
		return nil, "", r.input(err)
	case died != nil:
		return nil, died.what(r.Timeout), nil
	case a.Kind != wire.Settled || a.Failure == nil:
		return nil, a.Reason, nil
	}
	if a.Alone {
		if a.Failure, _, err = r.shrinkAlone(ctx, r.test, a.Failure); err != nil || a.Failure == nil {
			return nil, "", err
		}
	}
	exact, differs, err := r.repeats(ctx, r.test, a.Failure, false)
	if err != nil || exact == nil {
		return nil, differs, err
	}
	shorter, err = recording.Parse("the shrunk recording", a.Failure.Recording)
	return shorter, "", err
}

// input turns the refusal of a recording into an *InputError: its test may be gone, or not selected.
func (r *Repeater) input(err error) error {
	var refused *refusal
	if !errors.As(err, &refused) {
		return err
	}
	reason := refused.reason
	if selection := r.selection(); selection != "" {
		reason += " with" + selection
	}
	return &InputError{refused.title + ": " + reason}
}

// Title returns the title of the test.
func (r *Repeater) Title() string { return r.test.result.Title() }

// Command returns the command that repeats the recording in the given file.
func (r *Repeater) Command(file string) string {
	return shell.Command(r.words(r.test, "--replay", shell.File(file))...)
}
