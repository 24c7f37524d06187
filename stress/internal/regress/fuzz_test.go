package regress

import (
	"go/token"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// textFields are the fields of a test and a recording that hold text, but those that say of which kind they are.
func textFields(test *Test, rec *recording.Recording) (all []reflect.Value) {
	for _, of := range []reflect.Value{reflect.ValueOf(test).Elem(), reflect.ValueOf(rec).Elem()} {
		for i := range of.NumField() {
			name := of.Type().Field(i).Name
			if field := of.Field(i); field.Kind() == reflect.String && field.CanSet() && name != "Setup" && name != "Kind" {
				all = append(all, field)
			}
		}
	}
	return all
}

// Catches: a value of a recording that becomes code of the generated test, by any field of each kind.
func FuzzSource(f *testing.F) {
	names := []string{"unmodified", "explored", "scenario"}
	for i, evil := range hostile {
		f.Add(evil, i%len(names), i)
	}
	f.Fuzz(func(t *testing.T, evil string, kind, field int) {
		name := names[uint(kind)%uint(len(names))]
		test, rec := kinds()[name]()
		source, err := test.Source(rec)
		if err != nil {
			t.Fatal(err)
		}
		harmless := shape(t, name, source)
		test, rec = kinds()[name]()
		fields := textFields(test, rec)
		changed := fields[uint(field)%uint(len(fields))]
		changed.SetString(changed.String() + evil)
		source, err = test.Source(rec)
		if err != nil {
			if !strings.Contains(err.Error(), "is no identifier") {
				t.Fatalf("%s, %q: %v", name, evil, err)
			}
			return
		}
		if got := shape(t, name, source); got != harmless {
			t.Fatalf("%s, %q is code:\n%s", name, evil, source)
		}
	})
}

// Catches: a name of a failure that makes a test that go test does not run, or a file that the go command leaves out or
// puts elsewhere.
func FuzzFree(f *testing.F) {
	for i, of := range append([]string{"TestQueue/empty", "Test", "../../etc/passwd", "test\x00\xff/\u00e4_windows", "TestZ\u01c5\u0661", "1", strings.Repeat("\U00020000", 70)}, hostile...) {
		f.Add(of, i)
	}
	f.Fuzz(func(t *testing.T, of string, by int) {
		verdict := string(verdict.All()[uint(by)%uint(len(verdict.All()))])
		test, file := (&Folder{}).Free(of, verdict)
		first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(test, "Test"))
		if !token.IsIdentifier(test) || !strings.HasPrefix(test, "Test") || unicode.IsLower(first) {
			t.Fatalf("%q, %q: the test is %q", of, verdict, test)
		}
		if !strings.HasSuffix(file, "_test.go") || strings.ContainsAny(file, "/\\\x00") || strings.HasPrefix(file, ".") || strings.HasPrefix(file, "_") || !utf8.ValidString(file) || len(file) > 255 {
			t.Fatalf("%q, %q: the file is %q", of, verdict, file)
		}
		taken := &Folder{tests: map[string]declared{test: {clause: "x"}}, texts: map[string]string{file: ""}}
		if test2, file2 := taken.Free(of, verdict); test2 == test || file2 == file {
			t.Fatalf("%q, %q: %s and %s are taken", of, verdict, test2, file2)
		}
	})
}
