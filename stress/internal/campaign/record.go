package campaign

import (
	"context"
	"path/filepath"

	"github.com/rouse-go/rouse/stress/internal/run"
)

// record writes the recording of the last failure, unless it is expected and RecordExpected is not
// set.
func (c *campaign) record(t *tally) (err error) {
	if t.scenario.Expects(t.Failure.Verdict) && !c.RecordExpected {
		return nil
	}
	text := t.Schedule
	if text == "" {
		text = run.NativeRecording(t.scenario, c.Seed, t.Failure).String()
	}
	t.Recording, err = run.WriteNew(filepath.Join(c.Out, run.RecordingName(t.scenario, c.Seed, t.Failure)), text)
	if err != nil {
		return err
	}
	if t.Schedule == "" { // a schedule makes sidecars superfluous
		if err := run.WriteSidecars(t.Recording, t.Failure, t.trace); err != nil {
			return err
		}
	}
	return c.journal.recorded(t)
}

// recordSchedule writes the recording of a failure under control, unless it exists, and for an
// unexpected failure also a shorter recording, if there is one.
func (c *campaign) recordSchedule(ctx context.Context, t *tally) error {
	if t.Recording == "" {
		if err := c.record(t); err != nil {
			return err
		}
	}
	if t.Recording == "" || t.Schedule == "" || t.scenario.Expects(t.Failure.Verdict) {
		return nil
	}
	found := &run.Recording{Recording: run.MustParse(t.Schedule), Scenario: t.scenario}
	shorter, _, err := found.Shrink(ctx)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil || shorter == nil || len(shorter.Entries) >= len(found.Entries): // an error: it crashes the process
		return nil
	}
	if t.Shrunk, err = run.WriteNew(c.inOut(run.ShrunkName(t.Recording)), shorter.String()); err != nil {
		return err
	}
	return c.journal.recorded(t)
}

// inOut returns the path, in the campaign's folder, of a file that belongs to a recording. It ignores the folder of
// the recording, which comes from a journal that may be of another folder, or made to lead elsewhere.
func (c *campaign) inOut(name string) string { return filepath.Join(c.Out, filepath.Base(name)) }
