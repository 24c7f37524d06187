package command

import (
	"bytes"
	"strings"
	"testing"
)

// TestGoArgs: the flags of go test have one dash or two, and -args ends them.
func TestGoArgs(t *testing.T) {
	c := newTest()
	for args, want := range map[string]string{
		"./... -run TestX -race":              "./... --run TestX --race",
		"-run=TestX --race=false":             "--run=TestX --race=false",
		"-run -race -v":                       "--run -race --v",
		"-test.run X -test.v":                 "--run X --v",
		"-C dir -v ./a -h":                    "--C dir --v ./a -h",
		"./a -args -x --y -run Z":             "./a -- -x --y -run Z",
		"./a -- -x":                           "./a -- -x",
		"--for 10m --strategy pct(3) -tags a": "--for 10m --strategy pct(3) --tags a",
		"-bogus=1 -b":                         "--bogus=1 -b",
		"-":                                   "-",
		"--json x -json=y":                    "--json x --json=y",
		"-run":                                "--run",
		"-gcflags=all=-N -mod vendor":         "--gcflags=all=-N --mod vendor",
	} {
		got, err := goArgs(c, strings.Fields(args), refusedOfGoTest)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, %v, want %s", args, got, err, want)
		}
	}
	for _, refused := range []string{"-cpu 1,2", "-json ./...", "-p 3", "-trimpath", "-benchmem", "-test.parallel 3", "./a -coverprofile x"} {
		if got, err := goArgs(c, strings.Fields(refused), refusedOfGoTest); err == nil || !strings.Contains(err.Error(), ": stress test has no such flag: ") {
			t.Errorf("%s: got %q, %v", refused, got, err)
		}
	}
}

// TestRefusedTestFlags: what is not valid is refused before anything runs, in every build.
func TestRefusedTestFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-strategy pcd":            "unknown strategy \"pcd\"; did you mean \"pct\"?",
		"-strategy pct(x)":         "--strategy: no such strategy: \"pct(x)\": pct takes a whole number",
		"-clock late":              "invalid argument \"late\" for \"--clock\" flag: want lazy, racy or mixed",
		"-run [":                   "-run: error parsing regexp",
		"-skip a/(b":               "-skip: error parsing regexp",
		"--for 1s --executions 2":  "--for and --executions exclude each other",
		"--procs 5000":             "invalid argument \"5000\" for \"--procs\" flag",
		"--plain --quiet":          "--plain and --quiet exclude each other",
		"--native --strategy pct":  "--native: want no --strategy",
		"-rum x":                   "unknown flag --rum of stress test; did you mean \"--run\"?",
		"-count 2":                 "invalid argument \"2\" for \"--count\" flag: want 1: a test runs --executions times",
		"--count=0":                "want 1: a test runs --executions times",
		"--replay x -count=1":      "--replay: want no -count",
		"--replay x --since HEAD":  "--replay and --since exclude each other",
		"--since=":                 "--since: want a commit, such as main or HEAD~3",
		"-C /no/such/folder":       "-C: chdir /no/such/folder: ",
		"a.go":                     "a.go: found a file, want a package",
		"./no/such/package":        "no/such/package: directory not found",
		"--replay none.rouse":      "--replay: open none.rouse: no such file",
		"--executions 0":           "want a whole number from 1",
		"--junit x --json x":       "--junit x: --json x writes the same file",
		"--junit no/such/x -run A": "--junit ",
	} {
		var out, errs bytes.Buffer
		code := noSubject.run(t.Context(), append([]string{"test"}, strings.Fields(args)...), &out, &errs)
		if code != exitUsage || !strings.HasPrefix(errs.String(), "stress: ") || !strings.Contains(errs.String(), want) || out.Len() > 0 {
			t.Errorf("%s: exit code %d, got %s%s, want %s", args, code, &out, &errs, want)
		}
	}
}
