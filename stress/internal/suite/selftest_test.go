package suite

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/goroot"
	"github.com/rouse-go/rouse/stress/internal/report"
)

var updateSelfTest = flag.Bool("update-selftest", false, "write what the executions of the self-test do")

// Catches: an overlay of the installed Go under which programs do something else than under those before; tests that do
// something else in another environment.
func TestSelfTest(t *testing.T) {
	path := os.Getenv("PATH")
	for _, race := range []bool{false, true} {
		overlay, err := goroot.Make(t.Context(), goroot.Options{Race: race})
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", "/none"+strings.Repeat(":/none", 7)+":"+path)
		t.Setenv("TMPDIR", t.TempDir())
		t.Setenv("GODEBUG", "randautoseed=0,panicnil=1")
		t.Setenv("GOGC", "50")
		t.Setenv("ROUSE_OTHER", strings.Repeat("x", 1000))
		want := expectedOf(race)
		if *updateSelfTest {
			want = nil
		}
		lines, err := selfTest(t.Context(), overlay, Build{Race: race}, want)
		if err != nil {
			t.Fatal(err)
		}
		if *updateSelfTest {
			name := "_selftest/expected.txt"
			if race {
				name = "_selftest/expected-race.txt"
			}
			if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := compareSelfTest(lines, want); err != nil {
			t.Errorf("race %v: %v", race, err)
		}
	}
}

// Catches: a release that nobody has tried, and is taken as it is, or tried each time.
func TestVerify(t *testing.T) {
	overlay, err := goroot.Make(t.Context(), goroot.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	verify := func() error {
		return Verify(t.Context(), overlay, Build{}, func(what string) { said = append(said, what) })
	}
	if err := verify(); err != nil || len(said) > 0 {
		t.Errorf("a release that has been tried: %v, %q", err, said)
	}
	overlay.Unverified = "go9.9 is newer than this rouse"
	if err := verify(); err != nil || len(said) != 2 || said[0] != "go9.9 is newer than this rouse: trying it first ..." || said[1] != "its anchors and the self-test pass" {
		t.Errorf("one that passes: %v, %q", err, said)
	}
	if err := verify(); err != nil || len(said) != 2 {
		t.Errorf("once more: %v, %q", err, said)
	}
	var failed *SelfTestError
	for _, race := range []bool{false, true} {
		if tried, err := SelfTested(overlay, race); tried == race || err != nil {
			t.Errorf("race %v: tried is %v, %v", race, tried, err)
		}
	}
	for _, torn := range []string{"", "pass", "failed", "a difference"} { // as a full disk or a killed process leaves it
		if err := os.WriteFile(resultFile(overlay, true), []byte(torn), 0o666); err != nil {
			t.Fatal(err)
		}
		if tried, err := SelfTested(overlay, true); tried || err != nil {
			t.Errorf("a result %q: tried is %v, %v", torn, tried, err)
		}
	}
	if err := os.WriteFile(resultFile(overlay, true), []byte("failed: a difference\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Verify(t.Context(), overlay, Build{Race: true}, func(string) { t.Error("tried again") }); !errors.As(err, &failed) || failed.Reason != "a difference" {
		t.Errorf("one that has failed: %v", err)
	}
	overlay.Unverified = ""
	if err := Verify(t.Context(), overlay, Build{Race: true}, func(string) { t.Error("tried again") }); !errors.As(err, &failed) || failed.Reason != "a difference" {
		t.Errorf("a release that has failed: %v", err)
	}
	if err := Verify(t.Context(), &goroot.Overlay{Go: "none", Unverified: "x", GoVersion: "go9.9", Dir: t.TempDir()}, Build{}, func(string) {}); !errors.As(err, &failed) {
		t.Errorf("one that cannot build: %v", err)
	}
}

// Catches: a difference that the self-test passes over.
func TestCompareSelfTest(t *testing.T) {
	want := []string{"a: ok", "b: ok"}
	for _, test := range []struct {
		got  []string
		says string
	}{
		{[]string{"a: ok", "b: ok"}, ""},
		{[]string{"a: ok", "b: no"}, `found "b: no", want "b: ok"`},
		{[]string{"a: ok"}, `found no "b: ok"`},
		{[]string{"a: ok", "b: ok", "c: ok"}, `found "c: ok", want no such test`},
		{nil, `found no "a: ok"`},
	} {
		err := compareSelfTest(test.got, want)
		if test.says == "" && err != nil || test.says != "" && (err == nil || err.Error() != test.says) {
			t.Errorf("%q: %v", test.got, err)
		}
	}
}

// Catches: a self-test that goes on, maybe for an hour, when a test has already differed.
func TestSelfTestEnds(t *testing.T) {
	first := selfTestLine(&report.TestReport{Test: "TestA", Status: report.TestPassed})
	for _, test := range []struct {
		want []string
		all  int
	}{
		{nil, 3},
		{[]string{first, first, first}, 3},
		{[]string{first, "another", first}, 2},
		{[]string{first}, 2},
	} {
		ended := 0
		lines := &selfTestLines{want: test.want, end: func() { ended++ }}
		for range 3 {
			lines.add(report.TestReport{Test: "TestA", Status: report.TestPassed})
		}
		differs := test.want != nil && compareSelfTest(lines.all, test.want) != nil
		if len(lines.all) != test.all || differs != (ended == 1) || ended > 1 {
			t.Errorf("%q: %d lines, ended %d times, want %d lines", test.want, len(lines.all), ended, test.all)
		}
	}
}
