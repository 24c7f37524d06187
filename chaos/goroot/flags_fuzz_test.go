package goroot

import (
	"slices"
	"strings"
	"testing"
)

// Catches: GOFLAGS that are split differently from how they are joined, and a build flag that is lost.
func FuzzUserFlags(f *testing.F) {
	for _, text := range []string{"-race -tags=a,b", "'-ldflags=-X a=b c' -v", "\"-gcflags=all=-N -l\"", "-overlay=x.json", "-overlay x.json", "--compiler=gccgo", "-asan", "-msan=1", "'", "a'b", "-", "--", "=", "-gcflags", "\t\n\r ", "\u00a0-x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fields, err := split(text)
		if err != nil {
			if fields != nil || !strings.ContainsAny(text, `"'`) {
				t.Fatalf("%q: %q, %v", text, fields, err)
			}
			return
		}
		var quoted []string
		for _, field := range fields {
			switch {
			case !strings.Contains(field, `'`):
				field = `'` + field + `'`
			case !strings.Contains(field, `"`):
				field = `"` + field + `"`
			}
			quoted = append(quoted, field)
		}
		if again, err := split(strings.Join(quoted, "\t ")); err != nil || !slices.Equal(again, fields) {
			t.Fatalf("%q is %q, and joined and split again %q: %v", text, fields, again, err)
		}
		f, err := userFlags("", fields)
		if err != nil {
			return
		}
		for _, flag := range f.compilerFlags() {
			if strings.TrimSpace(flag) != flag && !slices.ContainsFunc(f.gcflags, func(own string) bool { return strings.Contains(flag, own) }) {
				t.Fatalf("%q has the compiler flag %q", fields, flag)
			}
		}
		own := slices.DeleteFunc(slices.Clone(fields), func(field string) bool { return slices.Contains(f.rest, field) })
		for _, field := range own { // what has been taken out is a flag that is read, or the value of one
			if name := strings.TrimLeft(field, "-"); !strings.HasPrefix(name, "overlay") && !strings.HasPrefix(name, "gcflags") && !strings.HasPrefix(name, "compiler") &&
				field != f.overlay && !slices.Contains(f.gcflags, field) && field != "gc" && !strings.Contains(text, "overlay") {
				t.Fatalf("%q is lost of %q", field, fields)
			}
		}
	})
}
