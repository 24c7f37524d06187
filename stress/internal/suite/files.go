package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/shell"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/prose"
)

// A kept is a recording file that this run has written.
type kept struct {
	path string
	err  error
	undo func()
}

// forget removes the file, and the folders that were made for it.
func (k *kept) forget() {
	if k.err == nil {
		os.Remove(k.path) //nolint:errcheck // it may be gone already
		k.undo()
	}
}

// folders returns the folders for recordings of a test. The first one that can be written to is used.
func (o *Options) folders(t *test) []string {
	below := filepath.Join(filepath.FromSlash(t.pkg.ImportPath), t.name)
	if o.Out != "" {
		return []string{filepath.Join(o.Out, below)}
	}
	out := filepath.Join(DefaultOut, below)
	if t.pkg.Standard || t.pkg.Module != nil && !t.pkg.Module.Main { // not the user's own
		return []string{out}
	}
	return []string{filepath.Join(t.pkg.Dir, "testdata", "chaos", t.name), out}
}

// record writes the recording of a failure. It is called before anything else, because what follows may crash.
func (o *Options) record(t *test, f *wire.Failure) *kept {
	k := &kept{}
	for _, dir := range o.folders(t) {
		var undo func()
		if undo, k.err = atomicfile.MkdirAll(dir); k.err != nil {
			continue
		}
		k.path, k.undo = filepath.Join(dir, fmt.Sprintf("%016x%s", f.Hash, outcome.RecordingEnding)), undo
		if k.err = atomicfile.Write(k.path, []byte(f.Recording)); k.err == nil {
			return k
		}
		undo()
	}
	return k
}

// keep replaces the recording by that of the settled failure, and reports where it is.
func (o *Options) keep(t *test, k *kept, f *wire.Failure) {
	r := &t.result
	if k.err == nil {
		k.err = atomicfile.Write(k.path, []byte(f.Recording))
	}
	if k.err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("the recording cannot be written: %v; --out names another folder", k.err))
		return
	}
	r.Recording = prose.Relative(k.path)
	if all := o.folders(t); len(all) > 1 && filepath.Dir(k.path) != all[0] {
		r.Notes = append(r.Notes, fmt.Sprintf("recorded in %s because %s cannot be written to", DefaultOut, prose.Relative(all[0])))
	}
	r.Reproduce = shell.Command(o.words(t, "--replay", shell.File(r.Recording))...)
}

// words returns the command that runs a test again, with further flags.
func (o *Options) words(t *test, more ...string) []string {
	run := "^" + regexp.QuoteMeta(strings.TrimSuffix(t.name, recording.SecondTest)) + "$"
	if _, subtests, ok := strings.Cut(o.Run, "/"); ok { // other subtests would take part in the schedule
		run += "/" + subtests
	}
	words := slices.Concat(o.Command, []string{"test", t.pkg.ImportPath}, o.Build.words(), []string{"-run", run})
	if o.Skip != "" {
		words = append(words, "-skip", o.Skip)
	}
	words = append(words, more...)
	if len(o.Args) > 0 {
		words = append(append(words, "-args"), o.Args...)
	}
	return words
}

// settingWords returns the flags that make the same executions by a strategy, up to that number.
func (o *Options) settingWords(strategy string, executions int) []string {
	s := &o.Settings
	words := []string{"--seed", fmt.Sprintf("%#x", s.Seed), "--executions", fmt.Sprint(executions), "--strategy", strategy, "--clock", s.Clock}
	if s.Leaks {
		words = append(words, "--leaks")
	}
	if s.MaxSteps > 0 {
		words = append(words, "--max-steps", fmt.Sprint(s.MaxSteps))
	}
	return words
}

// An earlier is a recording of an earlier run.
type earlier struct {
	file string
	*recording.Recording
}

// earlier returns the recordings of a test that can be repeated, and notes why others cannot.
func (sl *slot) earlier(t *test) (all []earlier, err error) {
	r := &t.result
	for _, dir := range sl.folders(t) {
		atomicfile.Sweep(filepath.Join(dir, "*"+outcome.RecordingEnding), isOld)
		files, err := filepath.Glob(filepath.Join(escapeGlob(dir), "*"+outcome.RecordingEnding))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasPrefix(filepath.Base(file), ".") { // the lock file of an editor
				continue
			}
			rec, err := recording.Read(file)
			switch {
			case err != nil:
				r.Notes = append(r.Notes, fmt.Sprintf("not repeated: %v", err))
			case rec.Kind != recording.Unmodified || rec.Subject != t.result.Title():
			case rec.Verdict == verdict.DataRace && !sl.Build.Race:
				r.Notes = append(r.Notes, fmt.Sprintf("not repeated: %s is a data race: add -race", prose.Relative(file)))
			default:
				all = append(all, earlier{file, rec})
			}
		}
	}
	return all, nil
}

// repeatEarlier repeats the failures of a test that earlier runs have recorded, while there is time, and reports
// whether one still happens. However short the time is, one is repeated, as some executions run.
func (sl *slot) repeatEarlier(ctx context.Context, t *test) (failed bool, err error) {
	if sl.Native {
		return false, nil
	}
	all, err := sl.earlier(t)
	if err != nil {
		return false, err
	}
	var enough, never chan struct{}
	if !t.until.IsZero() {
		enough = make(chan struct{})
		timer := time.AfterFunc(max(time.Until(t.until), leastTime), func() { close(enough) })
		defer timer.Stop()
	}
	for n, e := range all {
		bound := enough
		if n == 0 {
			bound = never
		}
		select {
		case <-bound:
			err = errEnough
		default:
			failed, err = sl.repeatOne(ctx, t, e.file, e.Recording, bound)
		}
		if errors.Is(err, errEnough) {
			t.result.Notes = append(t.result.Notes, fmt.Sprintf("%d of %s were not repeated: the time was up", len(all)-n, prose.Plural(len(all), "recording")))
			return false, nil
		}
		if failed || err != nil {
			return failed, err
		}
	}
	return false, nil
}

var globMeta = regexp.MustCompile(`[*?[\\]`)

// escapeGlob escapes a name for use in a pattern. On Windows there is no escape character.
func escapeGlob(name string) string {
	if filepath.Separator == '\\' {
		return name
	}
	return globMeta.ReplaceAllString(name, `\$0`)
}

// isOld reports whether a temporary file was left by a killed run: writing a recording takes less than an hour.
func isOld(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && time.Since(info.ModTime()) > time.Hour
}

// repeatOne repeats one recording, unless enough is closed before.
func (sl *slot) repeatOne(ctx context.Context, t *test, file string, rec *recording.Recording, enough <-chan struct{}) (failed bool, err error) {
	a, died, err := sl.replay(ctx, t, rec, enough)
	r, name := &t.result, prose.Relative(file)
	var refused *refusal
	if errors.As(err, &refused) { // such as a recording of another version
		r.Notes = append(r.Notes, fmt.Sprintf("not repeated: %s: %s", name, refused.reason))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch {
	case died != nil:
		r.Notes = append(r.Notes, fmt.Sprintf("when %s was repeated, %s", name, died.what(sl.Timeout)))
	case a.Failure != nil && (a.Likeness == likeExact || a.Likeness == likeSame):
		t.fail(a.Failure, a.Failure)
		r.Execution, r.Executions, r.Notes = -1, 0, append(r.Notes, fmt.Sprintf("the recorded failure %s still happens", name))
		r.Recording = name
		r.Reproduce = shell.Command(sl.words(t, "--replay", shell.File(name))...)
		return true, nil
	default:
		r.Notes = append(r.Notes, fmt.Sprintf("the recorded failure %s no longer happens (%s: %s); remove the file, or keep it as a regression test",
			name, rec.Verdict, strings.TrimSpace(a.Reason)))
	}
	return false, nil
}

// replay repeats a recording in a new worker, whose clock starts at the time of the recording.
func (sl *slot) replay(ctx context.Context, t *test, rec *recording.Recording, enough <-chan struct{}) (wire.Answer, *death, error) {
	return sl.askAsOf(ctx, t, rec, wire.Request{Against: sl.Against, Within: sl.within(t), Timelines: sl.Timelines}, enough)
}

// askAsOf sends a request to replay a recording to a new worker whose clock starts at the time of the recording. The
// worker gets no other request.
func (sl *slot) askAsOf(ctx context.Context, t *test, rec *recording.Recording, r wire.Request, enough <-chan struct{}) (wire.Answer, *death, error) {
	r.Do, r.Recording = wire.Replay, rec.String()
	was := t.program
	then := *was
	then.setup.Start = rec.Start
	t.program = &then
	a, died, err := sl.ask(ctx, t, true, r, ignore, enough)
	t.program = was
	if sl.worker != nil {
		sl.worker.spent = true // it has another start time
	}
	return a, died, err
}
