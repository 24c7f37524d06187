package scenario

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestShardsAreThePartition: each execution is in one shard, and where, depends on no
// machine.
func TestShardsAreThePartition(t *testing.T) {
	three := Scenario{Name: "three", Subject: "pool", Setup: map[string]string{"workers": "[1, 2, 3]"}}
	batches := Scenario{Name: "batches", Mode: Control, Strategy: "random", Subject: "pool", Setup: map[string]string{"workers": "[1]"}}
	all := Scenario{Name: "all", Mode: Control, Strategy: "dfs", Subject: "pool", Setup: map[string]string{"workers": "[1]"}}
	for _, sc := range []*Scenario{&three, &batches, &all} {
		for _, of := range []int{1, 2, 3, 7} {
			const bound = 2000
			where := make([]int, bound)
			for i := range of {
				s := Shard{i, of}
				if sc == &all && !s.Has(sc, 0) {
					continue
				}
				n, count := s.From(sc, 0), 0
				for ; n < bound; n = s.From(sc, n+1) {
					if s.Below(sc, n) != count {
						t.Fatalf("%s, %s: %d below %d, want %d", sc.Name, s, s.Below(sc, n), n, count)
					}
					where[n]++
					count++
				}
			}
			if i := slices.IndexFunc(where, func(n int) bool { return n != 1 }); i >= 0 {
				t.Errorf("%s, %d shards: execution %d is in %d of them", sc.Name, of, i, where[i])
			}
		}
	}
	var got []string
	for _, name := range []string{"a", "b", "window-registered"} {
		sc := Scenario{Name: name, Subject: "pool", Setup: map[string]string{"workers": "[1, 2]"}}
		got = append(got, fmt.Sprint(Shard{0, 4}.From(&sc, 0), Shard{1, 4}.From(&sc, 0), Shard{2, 4}.From(&sc, 9), Shard{3, 3}.Below(&sc, 0)))
	}
	if s, want := strings.Join(got, ", "), "4 6 9 0, 6 0 10 0, 6 0 10 0"; s != want {
		t.Errorf("the shards of old campaigns do not go with those of new ones: got %s, want %s", s, want)
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"0/1": {0, 1}, "3/4": {3, 4}, "0/65536": {0, 65536}} {
		if s, err := ParseShard(text); err != nil || s != want || s.String() != text {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "1", "4/4", "1/0", "-1/4", "1/65537", "1/2/3", "a/b", "1/"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q is taken as %v", text, s)
		}
	}
}

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
