//go:build chaos

package command

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

// complete returns what a shell would offer for the last argument, without descriptions.
func complete(t *testing.T, args ...string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := (&program{subjects}).run(t.Context(), append([]string{"__complete"}, args...), &out, &errs); code != 0 {
		t.Errorf("%q: exit code %d: %s", args, code, &errs)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, ":") {
		t.Errorf("%q: no directive, but %q", args, last)
	}
	var names []string
	for _, line := range lines[:len(lines)-1] {
		name, _, _ := strings.Cut(line, "\t")
		names = append(names, name)
	}
	return names
}

func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	const mine = "version: 1\nextends: default\nscenarios:\n- {name: mine, group: ours, base: window-registered}\n"
	for name, text := range map[string]string{"mine.yaml": mine, "bad.yaml": "version: 1\nscenarios: 7\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string // "_" is the empty word
		want string
	}{
		{"run window-r", "window-registered"},
		{"run window-registered window-r", ""}, // it is named already
		{"run --file mine.yaml min", "mine"},
		{"run --file bad.yaml min", ""},
		{"run --file none.yaml min", ""},
		{"run --group windows window-r", ""}, // the two exclude each other
		{"run --group fork", "forking"},
		{"run --file mine.yaml --group our", "ours"},
		{"run --variant rfc", "rfc5 rfc5-no-sleepy"},
		{"run --variant jec,rfc", "jec,rfc5 jec,rfc5-no-sleepy"},
		{"run --variant rfc5,rfc", "rfc5,rfc5-no-sleepy"},
		{"run --variant al", "all"},
		{"run --variant=tickle-s", "tickle-swap"},
		{"run --annotate _", "github none"},
		{"run --file _", "yaml yml"}, // endings, by the directive
		{"run --report _", "md html"},
		{"replay _", "rouse"},
		{"replay a.rouse _", ""},
		{"list _", ""},
		{"schema _", "pool burst"},
		{"schema pool _", ""},
		{"completion _", "bash zsh fish powershell"},
		{"val", "validate"},
	} {
		args := strings.Fields(c.args)
		if last := len(args) - 1; args[last] == "_" {
			args[last] = ""
		}
		if got := complete(t, args...); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: got %q, want %q", c.args, got, c.want)
		}
	}
	if names := complete(t, "run", ""); len(names) < 100 || !slices.Contains(names, "every-burst") {
		t.Errorf("of the scenarios: %q", names)
	}
}
