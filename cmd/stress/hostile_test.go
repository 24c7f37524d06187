package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ofATest is a recording that a test has left, of that subject.
func ofATest(subject string) string {
	return "rouse schedule 1\nsubject: " + subject + "\nseed: 0x1\nverdict: deadlock\nsummary: stuck\nhash: 1\nschedule:\nmain #1: run main/0\n"
}

var reproduceLine = regexp.MustCompile(`(?m)^reproduce: (.*)$`)

// TestReproduceIsQuoted: the command that is printed of a recording can be pasted into a shell:
// the go command gets the words, and nothing else runs.
func TestReproduceIsQuoted(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := write(t, dir, "$(touch ran) 'x'.rouse", ofATest("example.com/queue TestQueue/$(touch${IFS}ran)/`touch ran`/it's"))
	for _, command := range []string{"replay", "explain", "shrink"} {
		got := in(t, dir, chaosBinary, command, file)
		got.want(t, 0)
		line := reproduceLine.FindStringSubmatch(got.out)
		if line == nil {
			t.Fatal(got.out)
		}
		pasted := exec.Command("sh", "-c", line[1])
		pasted.Dir, pasted.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
		out, err := pasted.CombinedOutput()
		want := strings.Join([]string{"test", "-tags", "chaos", "-run", "^TestQueue$/^" + regexp.QuoteMeta("$(touch${IFS}ran)") +
			"$/^`touch ran`$/^it's$", "example.com/queue", "-chaos.replay=" + file, ""}, "\n")
		if string(out) != want || err != nil {
			t.Errorf("%s: %s\nthe go command got\n%s%v\nwant\n%s", command, line[1], out, err, want)
		}
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Fatalf("%s: the shell ran what the recording says: %s", command, line[1])
		}
	}
}

// TestSubjectIsATest: a subject that the go command would take for something else is refused,
// where it stands.
func TestSubjectIsATest(t *testing.T) {
	dir := t.TempDir()
	for subject, want := range map[string]string{
		"-toolexec=./evil TestQueue": `x.rouse:2:10: found "-toolexec=./evil TestQueue", want the import path of a package and a test, such as "example.com/queue TestQueue"`,
		"$(evil) TestQueue":          `x.rouse:2:10: found "$(evil) TestQueue", want the import path`,
		"queue -exec":                `x.rouse:2:10: found the test "-exec", want a name such as TestQueue`,
		"scenario join":              `x.rouse:2:10: found the test "join", want a name such as TestQueue`,
	} {
		write(t, dir, "x.rouse", ofATest(subject))
		for _, command := range []string{"replay", "explain", "shrink"} {
			got := in(t, dir, chaosBinary, command, "x.rouse")
			got.want(t, 2)
			if got.out != "" || !strings.HasPrefix(got.errs, "stress: "+want) || strings.Count(got.errs, "\n") != 1 {
				t.Errorf("%s of %q: %s%s", command, subject, got.out, got.errs)
			}
		}
	}
}
