package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/fixture"
	"github.com/rouse-go/rouse/stress/scenario"
)

// edited is a text in which the first match is replaced, and the line that it stands in.
func edited(t *testing.T, text, pattern, by string) (changed string, line int) {
	t.Helper()
	at := regexp.MustCompile(pattern).FindStringIndex(text)
	if at == nil {
		t.Fatalf("no %s in\n%s", pattern, text)
	}
	return text[:at[0]] + by + text[at[1]:], 1 + strings.Count(text[:at[0]], "\n")
}

// TestMergeDoubts: numbers and names that no campaign writes are refused, where they stand.
func TestMergeDoubts(t *testing.T) {
	fails, holds := scripted("fails", verdict.Pass, "pass deadlock"), scripted("holds", verdict.Pass, "pass")
	holds.Plan = drop
	_, lines := shardsOf(t, []scenario.Scenario{fails, holds}, 5, 2)
	var texts [2]string
	which := 0 // the shard that has the failure
	for i, path := range lines {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if texts[i] = string(text); bytes.Contains(text, []byte(`"failure":{`)) {
			which = i
		}
	}
	path := filepath.Join(t.TempDir(), "report")
	for _, c := range []struct{ pattern, by, want string }{
		{`"executions":\d+,"seconds"`, `"executions":-5,"seconds"`, "found -5 executions, want 0 to 140737488355327"},
		{`"executions":\d+,"seconds"`, `"executions":9223372036854775807,"seconds"`, "found 9223372036854775807 executions"},
		{`"executions":6,"seconds":[^,]+`, `"executions":6,"seconds":1,"took_us":[[5,7]]`, "found the times of 7 executions, want those of at most 6"},
		{`"executions":12`, `"executions":-12`, "not a report: found a campaign of 0s and -12 executions"},
		{`"seconds":[^,]+,"recording`, `"seconds":-1,"recording`, "not a report: found -1 seconds"},
		{`"seconds":[^,]+,"recording`, `"seconds":1e300,"recording`, "not a report: found 1e+300 seconds"},
		{`"hits":\d+,"fires":\d+,"expired":\d+`, `"hits":3,"fires":4`, "drop at test/notify: found 4 fires in 3 hits, want no more fires than hits"},
		{`"hits":\d+,"fires":\d+,"expired":\d+`, `"hits":3,"fires":3,"expired":4`, "drop at test/notify: found 3 fires of which 4 expired, want no more"},
		{`"hits":\d+,"fires"`, `"hits":-1,"fires"`, "not a report: json: cannot unmarshal number -1"},
		{`"hits":\d+,"fires"`, `"hits":18446744073709551615,"fires"`, "drop at test/notify: found 18446744073709551615 hits, want at most"},
		{`"name":"holds"`, `"name":"Holds \u001b[31m"`, `found the scenario name "Holds \x1b[31m", want lower-case words`},
		{`"name":"holds"`, `"name":"fails"`, "found the scenario fails twice"},
		{`"mode":"native"`, `"mode":"naive"`, `not a report: found the mode "naive", want native or control`},
		{`"verdict":"pass","expect":"pass"`, `"verdict":"passed","expect":"pass"`, `verdict: unknown verdict "passed"; want one of pass, `},
		{`"verdict":"pass","expect":"pass"`, `"verdict":"pass","expect":"lost"`, `expect: unknown verdict "lost"`},
		{`"verdict":"deadlock","expect":"pass","as_expected":false`, `"verdict":"deadlock","expect":"pass","as_expected":true`, `found the verdict "deadlock" as expected, and pass is`},
		{`"verdict":"pass","expect":"pass","as_expected":true`, `"verdict":"leak","expect":"pass","as_expected":false`, "found the verdict leak, and no execution with it"},
		{`"failure":\{"execution":\d+`, `"failure":{"execution":-1`, "found a failure in execution -1, want one from 0"},
		{`"failure":\{"execution":\d+`, `"failure":{"execution":900`, "found the seed 0x"},
		{`"kind":"end","seed":"0x5"`, `"kind":"end","seed":"0x6"`, `found the end of the campaign 0x6, shard "`},
		{`"failed":1`, `"failed":0`, "found 2 scenarios, 0 failed and 0 open, want 2, 1 and 0, which stand above"},
		{`\{"schema":1,"kind":"end"`, `{"schema":1,"kind":"sample","seconds":1,"executions":-1}` + "\n" + `{"schema":1,"kind":"end"`, "found a sample of -1 executions after 1s"},
	} {
		text, line := edited(t, texts[which], c.pattern, c.by)
		fixture.Write(t, path, text)
		_, err := ReadShard(path)
		var bad *scenario.InputError
		if want := fmt.Sprintf("%s:%d:1: %s", path, line, c.want); !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", c.by, err, want)
		}
	}
}

// TestMergeCounts: there are as many scenarios as the first line says.
func TestMergeCounts(t *testing.T) {
	_, lines := shardsOf(t, []scenario.Scenario{scripted("a", verdict.Pass, "pass"), scripted("b", verdict.Pass, "pass")}, 5, 1)
	text, err := os.ReadFile(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	changed, _ := edited(t, string(text), `"scenarios":2`, `"scenarios":1`)
	fixture.Write(t, lines[0], changed)
	if _, err := ReadShard(lines[0]); err == nil || err.Error() != lines[0]+":3:1: found one more scenario, want 1" {
		t.Error(err)
	}
}

// TestMergeCompares: the reports of all shards are of the same scenarios, in the same order.
func TestMergeCompares(t *testing.T) {
	holds := scripted("holds", verdict.Pass, "pass")
	holds.Plan = drop
	_, lines := shardsOf(t, []scenario.Scenario{scripted("a", verdict.Pass, "pass"), holds}, 5, 2)
	text, err := os.ReadFile(lines[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ pattern, by, want string }{
		{`"name":"holds"`, `"name":"other"`, "found the scenario other, want holds"},
		{`"name":"a","mode":"native"`, `"name":"a","mode":"control"`, "found the scenario a with the mode control, want native"},
		{`"expect":"pass","as_expected"`, `"expect":"pass","may":["leak"],"as_expected"`, "found that a expects pass or leak, want pass"},
		{`"fault":"drop"`, `"fault":"yield"`, "found that holds has other faults"},
	} {
		changed, line := edited(t, string(text), c.pattern, c.by)
		fixture.Write(t, lines[1], changed)
		_, err := merged(t, lines)
		if want := fmt.Sprintf("%s:%d:1: %s, as in %s:%d: want shards of one campaign", lines[1], line, c.want, lines[0], line); err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", c.by, err, want)
		}
	}
}
