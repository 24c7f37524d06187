package subject

import (
	"testing"
)

// TestExecutionSeed holds the seeds fast: a change makes every recording and
// every journal of the past worthless.
func TestExecutionSeed(t *testing.T) {
	for _, c := range []struct {
		campaign uint64
		scenario string
		n        int
		want     uint64
	}{
		{0, "", 0, 0x568a9b0b1a2c05ec},
		{1, "window-registered", 0, 0xcd3340e730b851be},
		{1, "window-registered", 1, 0x18cc8a29c1869b36},
		{1 << 63, "window-fenced", 1_000_000, 0x2641ed64985754a1},
	} {
		if got := Seed(c.campaign, c.scenario, c.n); got != c.want {
			t.Errorf("Seed(%d, %q, %d) = %#x, want %#x", c.campaign, c.scenario, c.n, got, c.want)
		}
	}
}

func TestExecutionSeedsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for campaign := range uint64(20) {
		for _, name := range []string{"a", "b", "ab", "ba"} {
			for n := range 200 {
				seen[Seed(campaign, name, n)] = true
			}
		}
	}
	if len(seen) != 20*4*200 {
		t.Errorf("%d different seeds of %d", len(seen), 20*4*200)
	}
}
