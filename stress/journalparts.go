package stress

import (
	"math"
	"os"
	"path/filepath"
	"time"
)

// part notes how far a batch is.
func (j *journal) part(b *batchReport) error {
	if j == nil {
		return nil
	}
	before := j.kept
	if b.Kept != nil {
		j.kept, j.stored = b.Kept, b.Kept
	}
	err := j.write(journalLine{Kind: linePart, Part: b}, false)
	if err == nil && b.Kept != nil && before != nil && before.File != b.Kept.File {
		// That one only: a child may have begun the next already.
		os.Remove(filepath.Join(filepath.Dir(j.path), before.File)) //nolint:errcheck // it is removed at the scenario's end at the latest
	}
	return err
}

// freeze: what is counted from now on is for a report only. The journal keeps to its lines.
func (j *journal) freeze() {
	if j != nil {
		j.compact = math.MaxInt64
	}
}

// sync sees to it that what has been written outlives the machine's power: first what lines speak of,
// then the lines.
func (j *journal) sync() error {
	if j.turn != nil && j.stored != nil {
		if err := j.stored.sync(filepath.Dir(j.path)); err != nil {
			return err
		}
		j.stored = nil
	}
	if err := j.f.Sync(); err != nil {
		return err
	}
	j.synced = time.Now()
	return nil
}
