package suite

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
)

// settleNative reports a failure of a native run as it was found, because no schedule repeats it. The recording
// has the seed, with which the execution can be run again. Then it searches for the failure under control.
func (sl *slot) settleNative(ctx context.Context, t *test, b *batch) error {
	f := b.answer.Failure
	if d := b.death; d != nil {
		f = d.failure(sl)
	}
	f.Hash = cmp.Or(f.Hash, f.Seed^uint64(f.Execution))
	f.Recording = sl.nativeRecording(t, f).String()
	file := sl.record(t, f)
	t.fail(f, f)
	t.result.Notes = append(t.result.Notes, "the interleaving is the machine's: --replay runs the execution again with the same delays, and it need not fail again")
	sl.keep(t, file, f)
	return sl.searchFor(ctx, t, f)
}

// asleep is the runtime's fatal error when no goroutine can continue.
const asleep = "fatal error: all goroutines are asleep - deadlock!"

// failure returns the failure of an execution that ended its process, or hangs.
func (d *death) failure(sl *slot) *wire.Failure {
	f := &wire.Failure{Execution: d.number, Seed: sl.Settings.Seed, Strategy: "native", Report: d.output}
	switch text, _ := outcome.PanicOf(d.output); {
	case d.hangs:
		f.Verdict, f.Summary = verdict.Timeout, d.what(sl.Timeout)
		h := hangOf(d.output)
		if f.Report = h.report; h.at != "" {
			f.Summary += ": " + h.at
		}
	case outcome.Raced(d.output):
		f.Verdict = verdict.DataRace
		f.Summary, _ = outcome.RaceOf(d.output)
	case text == asleep:
		f.Verdict, f.Summary, f.Report = verdict.Deadlock, strings.TrimPrefix(asleep, "fatal error: "), d.report()
	case text != "":
		f.Verdict, f.Summary = verdict.OfPanic(text), text
	default:
		f.Verdict, f.Summary = verdict.Panicked, d.what(sl.Timeout)
	}
	return f
}

// nativeRecording returns the recording of a failure that has no schedule.
func (sl *slot) nativeRecording(t *test, f *wire.Failure) *recording.Recording {
	build := []string{sl.overlay.GoVersion, sl.overlay.GOOS + "/" + sl.overlay.GOARCH}
	if sl.overlay.Unverified != "" {
		build = append(build, recording.Unverified)
	}
	if sl.Build.Race {
		build = append(build, "race")
	}
	if sl.Build.Tags != "" {
		build = append(build, "tags="+sl.Build.Tags)
	}
	rec := &recording.Recording{
		Kind: recording.Native, Subject: t.result.Title(), Build: strings.Join(build, " "), Strategy: f.Strategy,
		Campaign: sl.Settings.Seed, Seed: f.Seed, Execution: f.Execution, MaxProcs: runtime.GOMAXPROCS(0),
		Verdict: f.Verdict, Summary: f.Summary, Site: f.Site, Goroutines: f.Report,
	}
	if sl.Build.Short {
		rec.Options = append(rec.Options, "short")
	}
	return rec
}

// againNative runs a native execution again, with the same seed.
func (r *Repeater) againNative(ctx context.Context) (Try, error) {
	r.Settings.Seed = r.rec.Campaign
	n := r.rec.Execution
	a, died, err := r.ask(ctx, r.test, true, wire.Request{Do: wire.Explore, From: n, To: n + 1}, ignore, nil)
	if err != nil {
		return Try{}, r.input(err)
	}
	t := Try{Verdict: verdict.Pass}
	f := a.Failure
	if died != nil {
		f = died.failure(&r.slot)
	}
	if f != nil {
		t.Verdict, t.Summary, t.Report = f.Verdict, f.Summary, f.Report
	}
	if t.Reproduced = t.Verdict == r.rec.Verdict; !t.Reproduced {
		t.Differs = fmt.Sprintf("it was %s", r.rec.Verdict)
	}
	return t, nil
}
