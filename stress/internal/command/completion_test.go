package command

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/subject"
)

// noSubject is a command line without scenarios, which both builds can complete.
var noSubject = program{[]subject.Subject{{Name: "none"}}}

func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out, errs bytes.Buffer
		if code := noSubject.run(t.Context(), []string{"completion", shell}, &out, &errs); code != 0 || errs.Len() > 0 {
			t.Fatalf("%s: exit code %d: %s", shell, code, &errs)
		}
		// It is for the program as it is called, which need not be called stress.
		if script := out.String(); !strings.Contains(script, "command.test") || strings.Contains(script, `\u00`) {
			t.Errorf("%s: not for this program, or characters are escaped:\n%s", shell, script)
		}
		if path, err := exec.LookPath(shell); err == nil && shell == "bash" {
			check := exec.Command(path, "-n")
			check.Stdin = &out
			if text, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", shell, err, text)
			}
		}
	}
	for args, want := range map[string]string{
		"completion":          "stress: 0 arguments, want one: stress completion SHELL, where SHELL is bash, zsh, fish or powershell\n",
		"completion bsh":      `stress: unknown shell "bsh"; did you mean "bash"?` + "\n",
		"completion bash zsh": "stress: 2 arguments, want one: stress completion SHELL, where SHELL is bash, zsh, fish or powershell\n",
	} {
		var out, errs bytes.Buffer
		if code := noSubject.run(t.Context(), strings.Fields(args), &out, &errs); code != 2 || (errs.String() != want && !strings.Contains(errs.String(), "-tags chaos")) {
			t.Errorf("%s: exit code %d: %s", args, code, &errs)
		}
	}
}

// TestCompletionIsFaultFree: whatever cannot be loaded, a shell gets no names and no error.
func TestCompletionIsFaultFree(t *testing.T) {
	for _, line := range []string{"run ", "run --group ", "run --variant ", "run --file none.yaml ", "run --nonsense ", "schema ", "replay "} {
		var out, errs bytes.Buffer
		args := strings.Split(line, " ")
		if code := noSubject.run(t.Context(), append([]string{"__complete"}, args...), &out, &errs); code != 0 || strings.Contains(errs.String(), "stress: ") {
			t.Errorf("%s: exit code %d: %s%s", line, code, &out, &errs)
		}
	}
}
