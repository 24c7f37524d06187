package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var (
	commandLine = regexp.MustCompile(`(?m)^  ([a-z]+) `)
	exampleText = regexp.MustCompile(`(?ms)^Examples:\n(.*?)\n\n`)
	shellSyntax = regexp.MustCompile(`\)| > .*| \| .*`)
)

// TestHelpHasExamples: the help of each command has examples, and their flags are valid.
func TestHelpHasExamples(t *testing.T) {
	dir := t.TempDir()
	_, list, _ := strings.Cut(in(t, dir, chaosBinary, "--help").out, "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	commands := commandLine.FindAllStringSubmatch(list, -1)
	if len(commands) != 17 {
		t.Errorf("%d commands in %s", len(commands), list)
	}
	for _, c := range commands {
		help := in(t, dir, chaosBinary, "help", c[1]).out
		text := exampleText.FindStringSubmatch(help)
		if text == nil {
			t.Errorf("%s has no examples:\n%s", c[1], help)
			continue
		}
		for line := range strings.SplitSeq(text[1], "\n") {
			_, call, ok := strings.Cut(line, "stress "+c[1])
			if strings.HasPrefix(line, "  #") {
				continue
			} else if !ok {
				t.Errorf("%s: no example: %s", c[1], line)
			}
			args := append([]string{c[1]}, strings.Fields(shellSyntax.ReplaceAllString(call, ""))...)
			got := in(t, dir, chaosBinary, append(args, "--help")...) // what cannot be parsed is refused before
			if got.code != 0 || got.errs != "" {
				t.Errorf("%s: exit code %d, %s", line, got.code, got.errs)
			}
		}
	}
}

// TestCompletionInBash: the script completes names by asking the program.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		return // no such shell
	}
	const script = `source <("$0" completion bash)
compopt() { :; }
_get_comp_words_by_ref() { cur=window-r prev=run words=("$0" run window-r) cword=2; }
__start_stress && echo "${COMPREPLY[@]}"`
	got := finish(t, exec.Command(bash, "-c", script, chaosBinary))
	if want := "window-registered\n"; got.out != want || got.code != 0 {
		t.Errorf("exit code %d, got %s%s, want %s", got.code, got.out, got.errs, want)
	}
}
