package outcome

import (
	"regexp"
	"strings"
)

// Raced reports whether the race detector has reported in the output of a process.
func Raced(output string) bool { return strings.Contains(output, "WARNING: DATA RACE") }

var panicLine = regexp.MustCompile(`(?m)^(panic|fatal error): .*$`)

// PanicOf finds the panic and its place in the output of a crashed process.
func PanicOf(output string) (summary string, explanation []string) {
	at := panicLine.FindStringIndex(output)
	if at == nil {
		return "", nil
	}
	summary = output[at[0]:at[1]]
	_, stack, found := strings.Cut(output[at[1]:], "\ngoroutine ")
	if !found {
		return summary, nil
	}
	for _, frame := range Frames(stack, 4) {
		explanation = append(explanation, "at "+frame)
	}
	return summary, explanation
}

var raceAccess = regexp.MustCompile(`(?m)^(Write|Read|Previous write|Previous read) at 0x[0-9a-f]+ by .*$`)

// RaceOf finds the two accesses in the race detector's report.
func RaceOf(output string) (summary string, explanation []string) {
	var accesses []string
	for _, at := range raceAccess.FindAllStringIndex(output, 2) {
		kind, _, _ := strings.Cut(output[at[0]:at[1]], " at ")
		place := "unknown code"
		if f := Frames(output[at[1]:], 1); len(f) > 0 {
			place = f[0]
		}
		accesses = append(accesses, strings.ToLower(kind)+" in "+place)
	}
	if len(accesses) < 2 {
		return "the race detector reported", nil
	}
	return "data race: " + accesses[0] + ", " + accesses[1], nil
}

var frameLine = regexp.MustCompile(`(?m)^ *([^\s(].*)\(.*\)\n\s+(\S+:\d+)`)

// Frames returns the first n frames of the stack at the beginning of text, as "function (file:line)",
// without frames of the runtime.
func Frames(text string, n int) (found []string) {
	stack, _, _ := strings.Cut(text, "\n\n")
	for _, m := range frameLine.FindAllStringSubmatch(stack, -1) {
		if strings.HasPrefix(m[1], "runtime.") || m[1] == "panic" {
			continue
		}
		if found = append(found, m[1]+" ("+m[2]+")"); len(found) == n {
			break
		}
	}
	return found
}
