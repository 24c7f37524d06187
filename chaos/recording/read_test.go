package recording

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A torn file is refused wherever it ends, and a damaged one whichever byte it is.
func TestTornAndDamaged(t *testing.T) {
	for _, text := range []string{sampleText, sampleEdit, nativeSample().String(), unmodifiedSample().String()} {
		for n := range text {
			var e *Error
			if _, err := Parse("f", text[:n]); !errors.As(err, &e) {
				t.Fatalf("torn after %d of %d bytes: %v, want an *Error", n, len(text), err)
			}
		}
	}
	for _, text := range []string{sampleText, nativeSample().String(), unmodifiedSample().String()} {
		for i := range text {
			changed := []byte(text)
			changed[i] ^= 1
			if _, err := Parse("f", string(changed)); err == nil {
				t.Fatalf("byte %d of %d changed: accepted", i, len(text))
			}
		}
	}
}

func TestBadRecordings(t *testing.T) {
	replace := func(old, new string) string { return strings.Replace(sampleEdit, old, new, 1) }
	for name, c := range map[string]struct {
		text         string
		line, column int
		parts        []string
	}{
		"empty":          {"", 1, 1, []string{"an empty file"}},
		"another file":   {"package main\n", 1, 1, []string{`"package main"`, "no recording"}},
		"a newer one":    {replace("recording 2", "recording 3"), 1, 17, []string{`version "3"`, "version 2"}},
		"an older one":   {replace("recording 2", "recording 1"), 1, 17, []string{`version "1"`, "version 2"}},
		"the first one":  {replace("recording 2", "schedule 1"), 1, 1, []string{`"rouse schedule 1"`, `"rouse recording 2"`, "the format has changed"}},
		"no kind":        {replace("kind: controlled\n", ""), 2, 1, []string{`"kind: "`}},
		"bad kind":       {replace("controlled", "wild"), 2, 7, []string{`"wild"`, `"controlled", "native" or "unmodified"`}},
		"another kind":   {replace("kind: controlled", "kind: native"), 11, 1, []string{`"hash: 5be0cd19137e2179"`, "want one of subject"}},
		"edited":         {strings.Replace(sampleText, "main #4", "main #5", 1), 22, 1, []string{"a checksum that is not that of the text", `the last line "end"`}},
		"more":           {sampleText + "x\n", 23, 1, []string{"more text"}},
		"another end":    {sampleBody + "end md5 0\n", 22, 1, []string{"checksum"}},
		"cut at a line":  {sampleText[:strings.Index(sampleText, "verdict")], 9, 1, []string{"the end of the file", "torn"}},
		"cut in a line":  {strings.TrimSuffix(sampleBody, "\n"), 21, 47, []string{"the end of the file", "torn"}},
		"torn":           {strings.TrimSuffix(sampleEdit, "\n"), 22, 4, []string{"the end of the file", "torn"}},
		"no end":         {sampleBody, 22, 1, []string{"the end of the file", "torn"}},
		"unknown field":  {replace("strategy:", "stratgy:"), 5, 1, []string{`"strategy:"`}},
		"no field":       {replace("strategy: pct(3)", "what is this"), 5, 1, []string{`"what is this"`, "one of subject"}},
		"field twice":    {replace("strategy: pct(3)", "build: x"), 5, 1, []string{`a second "build"`}},
		"no seed":        {replace("seed: 0x1f83d9abfb41bd6b\n", ""), 21, 1, []string{`no "seed:"`}},
		"bad seed":       {replace("0x1f83", "1f83"), 6, 7, []string{"0x"}},
		"bad execution":  {replace("417", "-1"), 7, 12, []string{`"-1"`}},
		"bad verdict":    {replace("deadlock", "dedlock"), 9, 10, []string{`"dedlock"`, `want "deadlock"`}},
		"bad hash":       {replace("5be0cd", "xyz"), 11, 7, []string{"xyz"}},
		"no entry":       {replace("main #4: run main/0", "main #4 run main/0"), 14, 3, []string{"an entry such as"}},
		"no place":       {replace("main #4:", "main:"), 14, 3, []string{"a place such as"}},
		"bad task":       {replace("main #4", "man #4"), 14, 3, []string{`"man"`, "a task such as"}},
		"bad child":      {replace("main/0 #2.1", "main/00 #2.1"), 15, 3, []string{`"main/00"`}},
		"bad number":     {replace("#4", "4"), 14, 8, []string{`"4"`}},
		"bad repeat":     {replace("#2.1", "#2.x"), 15, 10, []string{`"#2.x"`}},
		"after a visit":  {replace("notify #3", "notify #3+"), 18, 23, []string{`"#3+"`}},
		"bad verb":       {replace("run main/0", "runs main/0"), 14, 12, []string{`"run" and a task`}},
		"bad goal":       {replace("run main/0", "run x"), 14, 16, []string{`"x"`}},
		"bad pick":       {replace("pick 2", "pick 0"), 15, 21, []string{"1 or more"}},
		"bad fault":      {replace("drop", "dorp"), 17, 30, []string{`"dorp"`, `want "drop"`}},
		"drop of what":   {replace("drop", "drop 1"), 17, 35, []string{"nothing"}},
		"bad delay":      {replace("1.5ms", "long"), 19, 33, []string{"a duration"}},
		"bad hold":       {replace("hold queue/notify 1s", "hold queue/notify"), 21, 32, []string{"a point and a duration"}},
		"bad roll":       {replace("roll 1", "roll x"), 20, 31, []string{"the value"}},
		"text behind it": {replace("schedule:", "schedule: now"), 12, 11, []string{"nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Parse("f.rouse", c.text)
			var e *Error
			if !errors.As(err, &e) || r != nil {
				t.Fatalf("got %v, %v, want an Error", r, err)
			}
			if e.File != "f.rouse" || e.Line != c.line || e.Column != c.column {
				t.Errorf("%v: at %d:%d, want %d:%d", err, e.Line, e.Column, c.line, c.column)
			}
			for _, p := range c.parts {
				if !strings.Contains(err.Error(), p) {
					t.Errorf("%q does not say %q", err, p)
				}
			}
		})
	}
}

func TestBadNativeRecordings(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"verdict pass":  {"verdict: lost-wakeup", "verdict: pass", "f:14:10: found pass, want what the execution failed with"},
		"unknown field": {"verdict:", "verdikt:", `f:14:1: found "verdikt: lost-wakeup", want "verdict:"`},
		"no campaign":   {"campaign: 0xfeed\n", "", `f:32:1: found no "campaign:" in a native recording, want one`},
		"bad maxprocs":  {"maxprocs: 4", "maxprocs: many", `f:13:11: found "many", want a number such as 417`},
		"too many":      {"execution: 3", "execution: 4294967296", `f:12:12: found "4294967296", want a number such as 417`},
		"bad fault":     {"notify drop:", "notify dorp:", `f:20:16: found "dorp", want "drop"`},
		"no fault":      {"9 hits, 1 fires", "9 hits", `f:20:3: found "queue/notify drop: 9 hits, 0 expired", want a fault such as`},
		"a schedule":    {"goroutines:", "schedule:", `f:29:1: found "schedule:", want one of subject`},
		"setup inline":  {"setup:\n", "setup: {}\n", `f:4:8: found "{}", want nothing: its lines follow, indented by two spaces`},
		"not indented":  {"  - name: drop", "- name: drop", `f:5:1: found "- name: drop", want one of subject`},
	} {
		text := strings.Replace(nativeBody, c.old, c.new, 1) + "end\n"
		if _, err := Parse("f", text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestBadUnmodifiedRecordings(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no start":      {"start: 2025-11-22T17:35:00.000000017Z\n", "", `f:16:1: found no "start:" in an unmodified recording, want one`},
		"bad start":     {"2025-11-22T", "2025-13-22T", `f:8:8: found "2025-13-22T17:35:00.000000017Z", want a time such as`},
		"far start":     {"2025-11-22T", "9025-11-22T", `f:8:8: found "9025-11-22T17:35:00.000000017Z", want a time such as`},
		"bad clock":     {"clock: mixed", "clock: Mixed!", `f:9:8: found "Mixed!", want the name of a clock such as lazy`},
		"no schedule":   {"schedule:", "state:", `f:14:1: found "state:", want one of subject`},
		"a native one":  {"kind: unmodified", "kind: native", `f:8:1: found "start: 2025-11-22T17:35:00.000000017Z", want one of subject`},
		"a controlled":  {"kind: unmodified", "kind: controlled", `f:8:1: found "start: 2025-11-22T17:35:00.000000017Z", want one of subject`},
		"no such clock": {"run clock", "run clocks", `f:16:20: found "clocks", want a task such as`},
	} {
		text := strings.Replace(unmodifiedBody, c.old, c.new, 1) + "end\n"
		if _, err := Parse("f", text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Catches: a word of a build that becomes a build constraint, a flag, or a tag that it is not.
func TestBuilds(t *testing.T) {
	parse := func(build string) (*Recording, error) {
		return Parse("f", strings.Replace(unmodifiedBody, "build: go1.26.0 linux/amd64 race tags=chaos,purego", "build: "+build, 1)+"end\n")
	}
	const at = "f:4:"
	for build, want := range map[string]string{
		"go1.26.8 */x":                      `17: found "*/x", want a version of Go and a platform such as`,
		"go1.26.8 linux":                    `22: found the end of the line, want a platform such as`,
		"go1.26.8 linux/amd64/x":            `17: found "linux/amd64/x", want a version`,
		"go1.26.8 linux/amd64 rice":         `29: found "rice", want race, or a word such as`,
		"go1.26.8 linux/amd64 tags=a,!b":    `29: found "tags=a,!b", want race`,
		"go1.26.8 linux/amd64 tags=":        `29: found "tags=", want race`,
		"go1.26.8 linux/amd64 cpu=0":        `29: found "cpu=0", want race`,
		"go1.26.8 linux/amd64 version=$(x)": `29: found "version=$(x)", want race`,
		"go1.26.8 linux/amd64 race race":    `34: found a second "race", want one`,
		"go1.28.0 linux/amd64 unverified x": `40: found "x", want race`,
		"go1.26.8 linux/amd64 -toolexec=x":  `29: found "-toolexec=x", want race`,
		"go1.26.8  linux/amd64":             `17: found "", want a version`,
		"go1.26.8 linux/amd64 race tags=b ": `41: found "", want race`,
		"go1.26.8\x1b[1m linux/amd64":       `8: found "go1.26.8\x1b[1m", want a version`,
	} {
		if _, err := parse(build); err == nil || !strings.HasPrefix(err.Error(), at+want) {
			t.Errorf("%q: %v, want %s", build, err, want)
		}
	}
	for build, want := range map[string]struct {
		system string
		race   bool
		flags  string
	}{
		"go1.26.8 linux/amd64":                                                                          {"linux", false, ""},
		"go1.26.8 X:nodwarf5 darwin/arm64 race":                                                         {"darwin", true, "-race"},
		"devel go1.27-33d3f603c1 Wed Oct 1 10:00:00 2025 +0000 linux/amd64":                             {"linux", false, ""},
		"go1.22.5 (Red Hat 1.22.5-1.el9) linux/amd64 race tags=a,ü.b cpu=4 version=v1.2.3-0.2025+dirty": {"linux", true, "-tags a,ü.b -race -cpu 4"},
	} {
		r, err := parse(build)
		if err != nil {
			t.Errorf("%q: %v", build, err)
		} else if flags := strings.Join(r.BuildFlags(), " "); r.System() != want.system || r.Race() != want.race || flags != want.flags {
			t.Errorf("%q: %s, race %t, %s, want %v", build, r.System(), r.Race(), flags, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, body := range []string{sampleBody, nativeBody, unmodifiedBody} {
		f.Add(body[strings.Index(body, "\n")+1:])
	}
	f.Fuzz(func(t *testing.T, body string) {
		r, err := Parse("f", fmt.Sprintf("%s%d\n%s\nend\n", title, version, body))
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%T %v", err, err)
		}
		if err != nil {
			return
		}
		text := r.String()
		for range 2 { // the first time, blanks and what does not print may go
			again, err := Parse("f", text)
			if err != nil {
				t.Fatalf("what was read can't be read again: %v\n%s", err, text)
			}
			r, text = again, again.String()
		}
		if again, err := Parse("f", text); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%v, read as\n%+v\nwant\n%+v", err, again, r)
		}
	})
}

// What no execution has is refused, where it begins to be too much.
func TestTooLarge(t *testing.T) {
	head := strings.Count(sampleBody, "\n")
	for _, c := range []struct{ text, want string }{
		{sampleBody + strings.Repeat("  main #1: run main/0\n", MostEntries) + "end\n", "one more entry, want at most 1048576"},
		{sampleBody + strings.Repeat("\n", 2*MostEntries), fmt.Sprintf("x:%d:1: found %d lines, want at most %d", mostLines+1, head+2*MostEntries, mostLines)},
		{sampleBody + "  main" + strings.Repeat("/1", 40_000) + " #1: run main\nend\n", fmt.Sprintf("x:%d:3: found the path of a task, of 80004 bytes, want at most 65536", head+1)},
		{strings.Repeat("x", 10<<20), "this is no recording"},
		{"rouse recording 2\nkind: native\n" + strings.Repeat("x", 10<<20) + "\nend\n", "and a colon"},
		{"rouse recording 2\n" + strings.Repeat("x", 10<<20), "this recording is torn"},
	} {
		if _, err := Parse("x", c.text); err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 300 {
			t.Errorf("%.300v, want %s", err, c.want)
		}
	}
	name := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, mostBytes+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(name); err == nil || !strings.HasSuffix(err.Error(), ":1:1: found 67108865 bytes, want at most 67108864") {
		t.Error(err)
	}
}
