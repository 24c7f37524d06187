package scenario

import "testing"

// Catches: a shard that is read as another one than is written, and one that no campaign has.
func FuzzParseShard(f *testing.F) {
	for _, text := range []string{"0/4", "3/4", "4/4", "0/0", "0/65536", "0/65537", "-1/4", "00/04", "1/2/3", "/", "", "0/4 ", "+0/4", "0x0/4"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseShard(text)
		if err != nil {
			if s != (Shard{}) {
				t.Fatalf("%q is %v: %v", text, s, err)
			}
			return
		}
		if again, err := ParseShard(s.String()); err != nil || again != s || s.Index < 0 || s.Index >= s.Of || s.Of > MostShards {
			t.Fatalf("%q is %v, and that %v: %v", text, s, again, err)
		}
	})
}
