package scenario

import (
	"strings"
	"testing"
)

// TestFirstViolation: of several violations, the error is about the first in the file; of a mapping,
// unknown keys come first, and then missing ones.
func TestFirstViolation(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{head + scenarioText("workload: injct", "executions: 0") + scenarioText("name: 7"), `f.yaml:6:15: unknown workload "injct"; did you mean "inject"?`},
		{head + scenarioText("-expect", "workload: injct"), `f.yaml:3:5: a scenario lacks the key "expect"`},
		{head + scenarioText("-expect", "wrkload: inject", "colour: red"), `f.yaml:9:5: unknown key "wrkload" in a scenario; did you mean "workload"?`},
		{head + scenarioText("pool: {workers: [0, -1], jec-bits: 0}"), "f.yaml:5:22: workers: found 0, want a whole number from 1 to 256"},
		{head + scenarioText("may: [pass, lost-wakup, 7]"), "f.yaml:10:11: may: found the text \"pass\", want another verdict; with expect: pass and this one it comes to the same"},
		{head + scenarioText("plan: [{at: nowhere, fault: drop}]", "share: 0"), "f.yaml:10:12: share: found 0, want a whole number from 1 to 1000"},
		{head + scenarioText("subject:"), "f.yaml:10:14: subject: found nothing, want text"},
		{head + scenarioText("mode: control", "strategy: [pct]"), "f.yaml:11:15: strategy: found a list, want text"},
		{head + scenarioText("pool: {workers: [1], initial-jec: [1]}"), "f.yaml:5:39: initial-jec: found a list, want a whole number or max"},
		{head + scenarioText("base: [a]"), "f.yaml:10:11: base: found a list, want text"},
		{head + scenarioText() + "  - {name: b, base: a, remove: [7]}\n", "f.yaml:10:33: remove: found 7, want text"},
		{head + scenarioText() + "  - {name: b, base: a, remove: []}\n", "f.yaml:10:32: remove: the list is empty, want at least 1"},
	} {
		for range 5 { // whatever the order of keys in memory
			if _, err := load("f.yaml", []byte(c.text), testCatalogue()); err == nil || err.Error() != c.want {
				t.Fatalf("%s\ngot  %v\nwant %s", c.text, err, c.want)
			}
		}
	}
}

// TestVocabularyOnce: the schema of a catalogue is compiled once.
func TestVocabularyOnce(t *testing.T) {
	if first, second := testCatalogue().vocabulary(), testCatalogue().vocabulary(); first != second {
		t.Error("compiled twice")
	}
}

// TestAliasesBounded: aliases cannot make more of a small file than can be checked.
func TestAliasesBounded(t *testing.T) {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for _, to := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		from := string(to[0] - 1)
		text += "a" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+",", 10) + "]\n"
	}
	if _, err := load("f.yaml", []byte(text), testCatalogue()); err == nil || !strings.Contains(err.Error(), "aliases and merges make more than") {
		t.Error(err)
	}
}
