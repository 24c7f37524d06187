package main

import (
	"fmt"
	"regexp"
	"strings"
)

// inlining tells which functions of the packages the compiler can inline, by
// symbol: "" if it can, or the compiler's reason.
func (t *tree) inlining(paths []string) (map[string]string, error) {
	all := map[string]string{}
	for _, path := range paths {
		args := append([]string{"build"}, t.buildFlags()...)
		out, err := t.goStderr(append(args, "-gcflags="+path+"=-m=2", path)...)
		if err != nil {
			return nil, err
		}
		for name, reason := range parseInlining(out) {
			all[linkName(path)+"."+name] = reason
		}
	}
	return all, nil
}

var inlineLine = regexp.MustCompile(`(?m)^\S+:\d+:\d+: (?:can inline (.+?) with cost \d+ as: .*|cannot inline (.+?): (.*))$`)

// parseInlining reads the compiler's notes. A function that is noted twice (one
// closure, inlined in two places) counts by its last note.
func parseInlining(out []byte) map[string]string {
	decisions := map[string]string{}
	for _, m := range inlineLine.FindAllStringSubmatch(string(out), -1) {
		switch {
		case m[1] != "":
			decisions[m[1]] = ""
		case !strings.HasPrefix(m[3], "recursive"):
			decisions[m[2]] = m[3]
		}
	}
	return decisions
}

// compareInlining reports the functions that the hooks made too big to inline, or
// small enough. The functions they are inlined into differ in consequence.
func compareInlining(with, without map[string]string) []finding {
	var findings []finding
	for _, name := range union(with, without) {
		a, inA := with[name]
		b, inB := without[name]
		switch {
		case !inA || !inB: // missing code is reported by compareCode
		case a != "" && b == "":
			findings = append(findings, finding{fn: name, what: "can be inlined only without the hooks: " + a})
		case a == "" && b != "":
			findings = append(findings, finding{fn: name, what: fmt.Sprintf("can be inlined only with the hooks: without, %s", b)})
		}
	}
	return findings
}
