package wire

import (
	"reflect"
	"testing"
)

// Catches: a list that is read otherwise than it was written, and one that is none and is taken for one.
func TestPackageVariables(t *testing.T) {
	v := &PackageVariables{Landmark: 100, Named: []Extent{{120, 8}, {136, 1}}, Unnamed: []Extent{{1 << 40, 32}}}
	list := v.Encode()
	if got := DecodePackageVariables(list, 100); !reflect.DeepEqual(got, v) {
		t.Errorf("%+v, want %+v", got, v)
	}
	moved := &PackageVariables{Landmark: 90, Named: []Extent{{110, 8}, {126, 1}}, Unnamed: []Extent{{1<<40 - 10, 32}}}
	if got := DecodePackageVariables(list, 90); !reflect.DeepEqual(got, moved) {
		t.Errorf("%+v, want %+v", got, moved)
	}
	if got := DecodePackageVariables((&PackageVariables{Landmark: 1}).Encode(), 1); got == nil || len(got.Named)+len(got.Unnamed) > 0 {
		t.Errorf("%+v, want a list without variables", got)
	}
	for n := range len(list) {
		if n%16 == 0 && n >= 48 {
			continue // a shorter list
		}
		if got := DecodePackageVariables(list[:n], 100); got != nil {
			t.Errorf("%d bytes are %+v", n, got)
		}
	}
}
