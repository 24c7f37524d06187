package strategy

import (
	"slices"
	"strings"
	"testing"
)

func TestKeysOfPseudoTasks(t *testing.T) {
	for path, want := range map[string]uint64{
		"main":          RootKey,
		"main/2":        ChildKey(RootKey, 2),
		"clock":         ClockKey,
		"main/buffer":   BufferKey(RootKey),
		"main/2/buffer": BufferKey(ChildKey(RootKey, 2)),
	} {
		if got, ok := Key(path); !ok || got != want {
			t.Errorf("%s: key %#x, %v; want %#x", path, got, ok, want)
		}
	}
	for _, path := range []string{"", "buffer", "/buffer", "clock/buffer", "main/buffer/buffer", "main/buffer/1", "main/x/buffer", "main/buffers"} {
		if key, ok := Key(path); ok {
			t.Errorf("%q has a key: %#x", path, key)
		}
	}
}

// A path is read in one pass: whatever a recording contains, the cost is linear in its length.
func TestKeyOfLongPath(t *testing.T) {
	path := "main" + strings.Repeat("/7", (LongestPath-4)/2)
	want := uint64(RootKey)
	for range (LongestPath - 4) / 2 {
		want = ChildKey(want, 7)
	}
	if got, ok := Key(path); !ok || got != want {
		t.Errorf("key %#x, %v, want %#x", got, ok, want)
	}
	if n := testing.AllocsPerRun(100, func() { Key(path) }); n != 0 {
		t.Errorf("%v allocations: it is copied at each task", n)
	}
	for _, long := range []string{path + "/7", "main" + strings.Repeat("/buffer", 20_000)} {
		if _, ok := Key(long); ok {
			t.Errorf("a path of %d bytes has a key", len(long))
		}
	}
}

// Of two entries for one decision the first counts, and the other is unused.
func TestReplayOfTwoForOneDecision(t *testing.T) {
	one, two := &Task{Key: RootKey}, &Task{ID: 1, Key: ChildKey(RootKey, 0)}
	s := []Deviation{{Task: RootKey, Ops: 3, To: two.Key}, {Task: RootKey, Ops: 3, Pick: 1}, {Task: RootKey, Ops: 3, Repeat: 1, To: 5}}
	r := &Replay{Schedule: s}
	for range 2 {
		r.Begin(Execution{})
		one.Ops = 3
		c := &Choice{Enabled: []*Task{one, two}, Current: one}
		if got := r.Next(c); got != 1 {
			t.Errorf("chose %d, want 1", got)
		}
		if got := r.Next(c); got != 0 { // the one that it names is not enabled
			t.Errorf("chose %d, want the default", got)
		}
		if got := r.Pick(c, 2); got != 0 {
			t.Errorf("picked %d, want 0", got)
		}
		if got := r.Unused(); !slices.Equal(got, s[1:]) {
			t.Errorf("unused: %v", got)
		}
	}
}
