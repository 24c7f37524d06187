package stress

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	// keepTime is how often a batch says how far it is, at most: what a kill loses is what
	// ran since.
	keepTime = 10 * time.Millisecond
	// keepShare is the part of its time that a child spends on that: one of so many.
	keepShare = 32
	// mostKeepTime is how long that, and the size of a state, may put it off.
	mostKeepTime = time.Second
	// keptRate bounds what is written because of that, in bytes a second, as far as mostKeepTime
	// lets it.
	keptRate = 1 << 20
	// mostInline bounds a state that is part of a line. A batch whose state is larger
	// (a profile of very long executions) is not kept, and begins anew.
	mostInline = 256 << 10
	// stateGarbage is what a file of an exploration may hold that no longer counts, in bytes, until
	// another takes its place.
	stateGarbage = 8 << 20
)

// A keeper says now and then how far a batch is, such that another process can go on from
// there.
type keeper struct {
	dir    string // of the journal; "": nothing is kept
	series *series
	send   func(message)
	least  time.Duration // keepTime, but in tests
	every  time.Duration // until the next time
	last   time.Time

	file    *os.File // of the exploration, once there is one
	kept    keptState
	whole   int64 // size of its first frame
	garbage int64 // stateGarbage, but in tests
	frame   []byte
}

// due reports whether it is time to say so again.
func (k *keeper) due(now time.Time) bool { return k.dir != "" && now.Sub(k.last) >= k.every }

// said: the batch is at its beginning or its end, and known to be so.
func (k *keeper) said(now time.Time) { k.last, k.every = now, max(k.every, k.least) }

// keep says what the batch has come to.
func (k *keeper) keep(report batchReport, now time.Time) error {
	var err error
	size := 0
	if k.series.exhaustive {
		if size, err = k.store(); err == nil {
			kept := k.kept
			report.Kept = &kept
		}
	} else if report.State, err = k.series.appendState(k.frame[:0], false); err == nil {
		k.frame, size = report.State, len(report.State)
	}
	if err != nil {
		return err
	}
	if report.Kept != nil || size <= mostInline {
		k.send(message{Part: &report})
	}
	k.last = time.Now()
	wait := time.Duration(float64(size) / keptRate * float64(time.Second))
	k.every = max(k.least, min(max(wait, keepShare*k.last.Sub(now)), mostKeepTime))
	if k.least < keepTime { // a test wants to know each time
		k.every = k.least
	}
	return nil
}

// store appends a frame to the file of the exploration, or begins one.
func (k *keeper) store() (size int, err error) {
	if k.file == nil || k.kept.Size > 2*k.whole+k.garbage {
		return k.begin()
	}
	if k.frame, err = k.series.appendState(k.frame[:0], true); err == nil {
		_, err = k.file.Write(k.frame)
	}
	if err != nil {
		return 0, k.trouble(err)
	}
	k.kept.Size += int64(len(k.frame))
	k.kept.Sum = crc32.Update(k.kept.Sum, crc32.IEEETable, k.frame)
	return len(k.frame), nil
}

// begin puts a file that holds the whole state in the place of the one before, which
// whoever reads what was said last has yet to remove.
func (k *keeper) begin() (size int, err error) {
	k.close()
	if k.frame, err = k.series.appendState(k.frame[:0], false); err != nil {
		return 0, k.trouble(err)
	}
	if k.file, err = os.CreateTemp(k.dir, stateName); err != nil {
		return 0, k.trouble(err)
	}
	k.file.Chmod(0o644) //nolint:errcheck // as the journal's, where that means something
	if _, err := k.file.Write(k.frame); err != nil {
		return 0, k.trouble(err)
	}
	k.whole = int64(len(k.frame))
	k.kept = keptState{filepath.Base(k.file.Name()), k.whole, crc32.ChecksumIEEE(k.frame)}
	return len(k.frame), nil
}

func (k *keeper) trouble(err error) error {
	return fmt.Errorf("cannot write the exploration: %s: %s", k.dir, reason(err))
}

func (k *keeper) close() {
	if k.file != nil {
		k.file.Close() //nolint:errcheck // what counts has been written
		k.file = nil
	}
}

// open begins a batch, or makes the series go on with it where a part of it stops.
func (r *request) open(e *explorer, b int) (batchReport, error) {
	report := batchReport{Batch: b, Next: b * batchSize}
	for _, f := range r.Scenario.Plan {
		report.Faults = append(report.Faults, FaultCount{At: f.At, Kind: f.Kind.String()})
	}
	i := slices.IndexFunc(r.Explore.Parts, func(p *batchReport) bool { return p.Batch == b })
	if i < 0 {
		return report, nil
	}
	report = *r.Explore.Parts[i]
	state, kept := report.State, report.Kept
	report.State, report.Kept = nil, nil
	if kept != nil {
		var problem string
		if state, problem = kept.read(r.Explore.Dir); problem != "" {
			return report, fmt.Errorf("cannot go on: %s %s", filepath.Join(r.Explore.Dir, kept.File), problem)
		}
	}
	if state == nil {
		return report, nil // all of it is done
	}
	if err := e.series.goOn(b, state); err != nil {
		return report, fmt.Errorf("cannot go on with batch %d: %w", b, err)
	}
	return report, nil
}
