package strategy

import "testing"

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
