package worker

import (
	"cmp"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/internal/explore"
)

// nativeStrategy stands for the strategy of executions that have none.
const nativeStrategy = "native"

// exploreNatively serves a request to explore where goroutines run in parallel: a failure has a seed, but
// no schedule. A test that hangs, or panics, ends the process one way or the other.
func (w *Worker) exploreNatively(r wire.Request) wire.Answer {
	var counts wire.Counts
	ran := r.From > 0
	for n := r.From; n < r.To; n++ {
		w.announce(n)
		seed := explore.Seed(r.Settings.Seed, n)
		x := w.binary.Execution(r.Test, nil)
		w.binary.Native(seed | 1)
		x.Run()
		w.binary.Native(0)
		counts.Executions++
		failed, skipped, message := x.End()
		race, raced := w.races.take()
		switch {
		case raced:
			return nativeFailure(n, seed, verdict.DataRace, race.summary, counts, x.Output()+race.text)
		case failed:
			return nativeFailure(n, seed, verdict.WrongResult, cmp.Or(oneLine(message), "the test has failed"), counts, x.Output())
		case skipped && !ran && wire.EnoughSkips(n, r.To):
			return wire.Answer{Kind: wire.Explored, Counts: counts, Next: n + 1, Skipped: true, Reason: oneLine(message)}
		}
		ran = ran || !skipped
		if w.isDue() {
			w.answer(wire.Answer{Kind: wire.Progress, Counts: counts})
			counts = wire.Counts{}
			w.notYet()
		}
	}
	return wire.Answer{Kind: wire.Explored, Counts: counts, Next: r.To}
}

func nativeFailure(n int, seed uint64, v verdict.Verdict, summary string, counts wire.Counts, output string) wire.Answer {
	return wire.Answer{Kind: wire.Failed, Counts: counts, Next: n, Failure: &wire.Failure{
		Execution: n, Seed: seed, Strategy: nativeStrategy, Verdict: v, Summary: summary, Site: summary, Output: output,
	}}
}
