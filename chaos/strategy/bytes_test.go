package strategy

import (
	"slices"
	"testing"
)

// TestBytes: 0 is the default, and each other byte counts from there; what is left when no byte is, is the
// default, too.
func TestBytes(t *testing.T) {
	tasks := []*Task{{ID: 1}, {ID: 2}, {ID: 3}}
	s := Bytes([]byte{0, 1, 5, 2, 7})
	for range 2 { // each execution begins with the first byte
		s.Begin(Execution{Seed: 1})
		var got []int
		for _, c := range []Choice{
			{Enabled: tasks, Default: 1},
			{Enabled: tasks[:1]}, // takes no byte
			{Enabled: tasks, Default: 1},
			{Enabled: tasks, Default: 2},
		} {
			got = append(got, s.Next(&c))
		}
		got = append(got, s.Pick(&Choice{Asks: HoldOrRunOn}, 2)) // takes no byte
		got = append(got, s.Pick(&Choice{Asks: Outcome}, 2), s.Pick(&Choice{Asks: RunOn}, RunOnStops))
		got = append(got, s.Pick(&Choice{Asks: Outcome}, 2), s.Next(&Choice{Enabled: tasks, Default: 2}))
		if want := []int{1, 0, 2, 1, 0, 0, 7, 0, 2}; !slices.Equal(got, want) {
			t.Errorf("chose %v, want %v", got, want)
		}
	}
}
