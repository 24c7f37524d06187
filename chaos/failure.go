package chaos

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/explain"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// failure records, shrinks and explains execution n, the last one.
func (x *exploration) failure(n int, result control.Result) string {
	switch result.Verdict {
	case verdict.Uncontrolled:
		return x.unrepeatable(n, result)
	case verdict.Nondeterminism:
		result.Detail = "the execution depends on something that chaos does not control: a goroutine without hooks.Task, the order of a map, a clock or random numbers that are not those of hooks\n"
		if !x.settings.single {
			result.Detail += "found with " + x.settings.again(n) + "\n"
		}
		return x.unrepeatable(n, result)
	}
	execution, schedule := x.Execution(n), result.Schedule.Clone()
	r := x.record(n, result, schedule)
	name := filepath.Join(x.dir(), fmt.Sprintf("%016x.rouse", result.Hash))
	out := &report{Report: explain.Report{Log: x.last.log()}, file: name, reproduces: !x.settings.single}
	if x.write(out, r); !x.settings.single { // before anything else: what follows may crash
		defer x.keep(name)
	}
	found := schedule.Len()
	if result.Verdict == verdict.DataRace || !x.t.Failed() || x.failed { // else the body would fail the test again
		again := x.Trace(execution, schedule)
		switch {
		case again.Hash != result.Hash:
			out.Notes = append(out.Notes, "it has another trace when it is repeated: it depends on something that chaos does not control")
		case result.Verdict == verdict.DataRace: // reported once in a process, so there is nothing to shrink by
			result.Schedule, out.Events = again.Schedule, again.Events
		default:
			schedule, _ = x.Shrink(execution, schedule, result, x.settings.shrinks)
			again = x.Trace(execution, schedule)
			result, out.Events, out.Log = again.Result, again.Events, x.last.log()
			whole := r
			r = x.record(n, result, schedule)
			r.ShrunkFrom(whole)
			explain.Annotate(r.Entries, out.Events)
			out.Why = again.Why()
			x.write(out, r)
		}
	}
	out.Head = fmt.Sprintf("%s in %s: %s", result.Verdict, x.which(n), explain.Summary(result))
	if x.settings.single {
		out.Notes = append(out.Notes, fmt.Sprintf("the input makes %d decisions that are not the default; %d are enough", found, schedule.Len()))
	} else {
		out.Notes = append(out.Notes, explain.Recorded(found, schedule.Len()), "found with "+x.settings.again(n))
	}
	out.Result, out.recording = result, r
	return out.String()
}

// unrepeatable reports execution n, which depends on something that was not controlled. There is
// nothing to record.
func (x *exploration) unrepeatable(n int, result control.Result) string {
	return fmt.Sprintf("%s in %s: %s\n%s%s", result.Verdict, x.which(n), result.Summary, result.Detail, x.last.log())
}

// which names execution n.
func (x *exploration) which(n int) string {
	if x.settings.single {
		return "the schedule of the input"
	}
	return fmt.Sprintf("execution %d (%s)", n, x.settings.strategy.Name())
}

// write writes the recording of a report, unless an input of a fuzz target takes its place, or it could not be
// written before.
func (x *exploration) write(out *report, r *recording.Recording) {
	if out.err == nil && !x.settings.single {
		out.err = r.Write(out.file)
	}
}

// keep puts a copy of the recording where go test -artifacts wants it.
func (x *exploration) keep(name string) {
	t, ok := x.t.(interface{ ArtifactDir() string }) // since Go 1.26
	if !ok {
		return
	}
	if r, err := recording.Read(name); err == nil {
		if err := r.Write(filepath.Join(t.ArtifactDir(), filepath.Base(name))); err != nil {
			x.t.Logf("chaos: %v", err)
		}
	}
}

// record makes the recording of a result that is the engine's last.
func (x *exploration) record(n int, result control.Result, s strategy.Schedule) *recording.Recording {
	options := x.settings.recorded()
	if x.number > 1 {
		options = append(options, recordedNumber+strconv.Itoa(x.number))
	}
	r := x.Recording(x.Execution(n), result, s)
	r.Subject, r.Strategy, r.Seed, r.Options = x.subject(), x.settings.strategy.Name(), x.settings.seed, options
	r.Summary = explain.Summary(result)
	return r
}

// subject returns the subject of the recording.
func (x *exploration) subject() string { return x.pkg() + " " + x.t.Name() }

// A report is what the test prints of a failed execution: the command that repeats it comes last.
type report struct {
	explain.Report
	recording  *recording.Recording
	file       string
	err        error // of writing it
	reproduces bool  // the file shows what the report says
}

func (r *report) String() string {
	text := r.Report.String()
	switch {
	case r.err != nil:
		text += fmt.Sprintf("\nthe recording could not be written: %v", r.err)
	case r.reproduces:
		text += "\nreproduce: " + command(r.recording, r.file)
	}
	return text
}

// command returns the command that repeats the recording in that file.
func command(r *recording.Recording, file string) string {
	text, err := r.Command(file)
	if err != nil { // a TB of the caller's own
		return fmt.Sprintf("no command of go test repeats it: %v", err)
	}
	return text
}
