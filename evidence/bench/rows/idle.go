package rows

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/peers"
)

// cpu is processor time of a process.
const cpu = "ns-cpu"

// none names a Go program without a pool.
const none = "a sleeping Go program"

// measurable is the least time, of 5 s, that counts as more than nothing: a fifth of a thousandth.
const measurable = float64(time.Millisecond)

// idle measures the processor time of a process whose pool has nothing to do, each in a child
// process.
func (s *Setup) idle() []peers.Row {
	workers, milliseconds := runtime.NumCPU(), int(s.Idle/time.Millisecond)
	row := peers.Row{
		Name:    "idle",
		About:   fmt.Sprintf("Processor time of a process of its own in %v in which its pool of %d has nothing to do.", s.Idle, workers),
		Metrics: []string{cpu},
		Contestants: []peers.Contestant{
			s.child(none, exactly(float64(milliseconds)), inCPU, "idle", noKind, workers, milliseconds),
		},
		Bounds: []peers.Bound{
			{What: "idle, processor time", Of: "rouse", Metric: cpu, Over: []string{none}, How: peers.Beyond, Limit: measurable},
		},
	}
	for i, kind := range gopools.Kinds() {
		switch kind.Name {
		case "rouse", "channel(1024)", "ants": // others have no goroutines when there are no jobs
			row.Contestants = append(row.Contestants, s.child(kind.Name, exactly(float64(milliseconds)), inCPU, "idle", i, workers, milliseconds))
		}
	}
	row.Contestants = append(row.Contestants, s.Rayon.fresh("rayon", exactly(float64(workers)), inCPU, "idle", workers, milliseconds))
	return []peers.Row{row}
}

func inCPU(figures []float64) (peers.Figures, error) {
	if len(figures) != 1 {
		return nil, fmt.Errorf("%d figures, want 1", len(figures))
	}
	return peers.Figures{cpu: figures[0]}, nil
}

// idling is the turn of a child.
func idling(_ context.Context, kind, workers, milliseconds int) (float64, []float64, error) {
	end := func() {}
	if kind != noKind {
		p, err := newKind(kind, workers)
		if err != nil {
			return 0, nil, err
		}
		end = p.Wait
		done := make(chan struct{})
		p.Go(func() { close(done) })
		<-done
	}
	runtime.GC()
	time.Sleep(100 * time.Millisecond) // until the start is over
	before := measure.CPU()
	time.Sleep(time.Duration(milliseconds) * time.Millisecond)
	took := measure.CPU() - before
	end()
	return float64(milliseconds), []float64{float64(took)}, nil
}
