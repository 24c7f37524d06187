package wire

import (
	"reflect"
	"testing"
)

// Catches: an input that is taken for another one, or dropped without a word.
func TestParseInputs(t *testing.T) {
	for list, want := range map[string]struct {
		all  []Input
		lost bool
	}{
		"":                        {},
		"eHOME\x00oa/b\x00s.\x00": {all: []Input{{InputEnv, "HOME"}, {InputOpen, "a/b"}, {InputStat, "."}}},
		"eA\x00xB\x00oc\x00":      {all: []Input{{InputEnv, "A"}, {InputOpen, "c"}}, lost: true},
		"eA\x00oc":                {all: []Input{{InputEnv, "A"}}, lost: true},
		"o\xff\x00eA\x00":         {all: []Input{{InputEnv, "A"}}, lost: true},
		"\x00":                    {lost: true},
	} {
		if all, lost := ParseInputs([]byte(list)); !reflect.DeepEqual(all, want.all) || lost != want.lost {
			t.Errorf("%q: %v, %v", list, all, lost)
		}
	}
}
