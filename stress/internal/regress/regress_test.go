package regress

import (
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Catches: a name that is taken, that is no identifier, or whose file belongs to one system only.
func TestFree(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package a", "a_test.go": "//go:build slow\n\npackage a_test\n\nfunc TestPushDeadlock() {}\nfunc TestQueue() {}\n", "push_panic_regression_test.go": "package a\n", "torn_test.go": "package",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := ReadFolder(dir)
	if err != nil || f.Package != "a" {
		t.Fatalf("package %q, %v", f.Package, err)
	}
	for _, x := range [][4]string{
		{"TestPush", "deadlock", "TestPushDeadlock_2", "push_deadlock_2_regression_test.go"},
		{"TestPush", "panic", "TestPushPanic_2", "push_panic_2_regression_test.go"},
		{"TestPush/when full", "lost-wakeup", "TestPushWhenFullLostWakeup", "push_when_full_lost_wakeup_regression_test.go"},
		{"surprise", "leak", "TestSurpriseLeak", "surprise_leak_regression_test.go"},
	} {
		if test, file := f.Free(x[0], x[1]); test != x[2] || file != x[3] {
			t.Errorf("%s, %s: %s in %s, want %s in %s", x[0], x[1], test, file, x[2], x[3])
		}
	}
	clause, only := f.Declares("TestQueue")
	if clause != "a_test" || only == nil || only.String() != "slow" {
		t.Errorf("TestQueue is declared in %q, %v", clause, only)
	}
	if clause, _ := f.Declares("TestNone"); clause != "" {
		t.Errorf("TestNone is declared in %q", clause)
	}
}

// Catches: a test that is built where its recording cannot be repeated, or not where it can; and text of a recording that
// becomes code.
func TestSource(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a_test.go"), []byte("//go:build slow\n\npackage a\n\nfunc TestQueue() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, slow := f.Declares("TestQueue")
	const evil = "x\n*/ func init() { panic(1) }\n//go:generate rm"
	for name, x := range map[string]struct {
		test Test
		rec  recording.Recording
		want []string
	}{
		"unmodified": {Test{Only: slow}, recording.Recording{Kind: recording.Unmodified, Build: "go1.26.0 linux/amd64"}, []string{"//go:build linux && slow\n", `"replay", "--regression", recording`, "go install X"}},
		"explored":   {Test{}, recording.Recording{Kind: recording.Controlled, Build: "go1.26.0 linux/amd64"}, []string{"//go:build chaos\n", "chaos.ReplayTest(t, \"testdata/chaos/TestQueue/f.rouse\", TestQueue)"}},
		"raced":      {Test{Only: slow}, recording.Recording{Kind: recording.Controlled, Build: "go1.26.0 linux/amd64 race"}, []string{"//go:build chaos && race && slow\n"}},
		"scenario":   {Test{Program: "example.com/q/stress"}, recording.Recording{Kind: recording.Controlled, Setup: "x", Build: "go1.26.0 linux/amd64"}, []string{`"go", "run", `, `"example.com/q/stress", "replay", "--regression", recording`}},
	} {
		x.test.Name, x.test.Of, x.test.Package, x.test.File, x.test.Install = "TestQueueX", "TestQueue", "a", "testdata/chaos/TestQueue/f.rouse", "go install X"
		x.rec.Verdict, x.rec.Summary = verdict.Deadlock, evil
		text, err := x.test.Source(&x.rec)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range append(x.want, "package a\n", "func TestQueueX(t *testing.T) {") {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		if strings.Contains(string(text), "\nfunc init") || strings.Contains(string(text), "\n//go:generate") || strings.Contains(string(text), "\n*/") {
			t.Errorf("%s: the summary is code:\n%s", name, text)
		}
	}
}

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
