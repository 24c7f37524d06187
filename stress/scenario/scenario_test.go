package scenario

import (
	"slices"
	"testing"
)

// TestSettings: executions go through the combinations of all lists, the last of which varies fastest.
func TestSettings(t *testing.T) {
	for _, c := range []struct {
		setup map[string]string
		want  []string // of one round
	}{
		{nil, []string{""}},
		{map[string]string{"jec-bits": "1"}, []string{""}},
		{map[string]string{"workers": "[1, 2, 3]", "rounds": "0"}, []string{"workers 1", "workers 2", "workers 3"}},
		{map[string]string{"workers": "[2]", "jec-bits": "[1, 32]"}, []string{"jec-bits 1, workers 2", "jec-bits 32, workers 2"}},
		{map[string]string{"workers": "[1, 2, 3]", "jec-bits": "[1, 32]"}, []string{
			"jec-bits 1, workers 1", "jec-bits 1, workers 2", "jec-bits 1, workers 3",
			"jec-bits 32, workers 1", "jec-bits 32, workers 2", "jec-bits 32, workers 3",
		}},
	} {
		sc := Scenario{Setup: c.setup}
		if n := sc.Settings(); n != len(c.want) {
			t.Fatalf("%v: %d settings, want %d", c.setup, n, len(c.want))
		}
		var got []string
		for n := range c.want {
			got = append(got, sc.Setting(n))
			if again := sc.Setting(n + 2*len(c.want)); again != sc.Setting(n) {
				t.Errorf("%v: %q two rounds after %q", c.setup, again, sc.Setting(n))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.setup, got, c.want)
		}
	}
}
