package orders

import (
	"encoding/json"
	"slices"
	"testing"
)

// Catches: hashes that are read in part, or differently from how they are written.
func FuzzHashes(f *testing.F) {
	for _, text := range []string{`""`, `null`, `"AAAAAA=="`, `"BAAAAAgAAAA="`, `"AAAA"`, `"AAAAAA"`, `"%"`, `[1]`, `{}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var h, again Hashes
		if json.Unmarshal(text, &h) != nil {
			return
		}
		written, err := json.Marshal(h)
		if err != nil || json.Unmarshal(written, &again) != nil || !slices.Equal(h, again) {
			t.Fatalf("%s is %v, written %s, which is %v: %v", text, h, written, again, err)
		}
	})
}
