package report

import (
	"testing"
	"time"
)

// TestSamples: however long a campaign is, its samples are few, cover all of it evenly, and hide
// no peak.
func TestSamples(t *testing.T) {
	const tick = 200 * time.Millisecond
	for _, ticks := range []int{1, MostSamples - 1, MostSamples, 10 * MostSamples, 20 * 60 * 60 * 5} {
		var s, folded Samples
		for i := range ticks {
			at, memory := time.Duration(i)*tick, uint64(100)
			if s.Due(at) {
				if len(s.Kept) == 77 {
					memory = 5000
				}
				x := Sample{Elapsed: at, Executions: i, Memory: memory, Live: memory}
				s.Add(x)
				folded.Add(x)
			}
		}
		kept, last := s.Kept, time.Duration(ticks-1)*tick
		if len(kept) == 0 || len(kept) >= MostSamples || ticks >= MostSamples && len(kept) < MostSamples/4 {
			t.Errorf("%d samples of %d ticks", len(kept), ticks)
		}
		if left := last - kept[len(kept)-1].Elapsed; left > 2*max(s.Every, tick) {
			t.Errorf("the last is %v before the end", left)
		}
		peak := uint64(0)
		for i := range kept {
			peak = max(peak, kept[i].Memory)
			if i > 0 && kept[i].Elapsed <= kept[i-1].Elapsed {
				t.Errorf("%v after %v", kept[i].Elapsed, kept[i-1].Elapsed)
			}
		}
		if ticks > 77 && peak != 5000 {
			t.Errorf("of %d ticks, the peak is %d", ticks, peak)
		}
		if len(folded.Kept) != len(kept) || folded.Every != s.Every {
			t.Errorf("folded anew: %d samples every %v, want %d every %v", len(folded.Kept), folded.Every, len(kept), s.Every)
		}
	}
}
