//go:build chaos

package run

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/scenario"
)

// TestNoWarnings: of the default campaign, every fault can fire.
func TestNoWarnings(t *testing.T) {
	scenarios, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range scenarios {
		warnings, err := testRunner.Rehearse(&scenarios[i])
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %q", scenarios[i].Name, err, warnings)
		}
	}
}

// changed is a scenario with some of its lines replaced: "key: value" replaces the line of that key,
// "-key" deletes it, another line is added.
func changed(changes string) string {
	lines := []string{"name: a", "about: b", "pool: {workers: [1, 2]}", "workload: inject", "sizes: {jobs: 5}", "plan: []", "expect: pass"}
	for c := range strings.SplitSeq(changes, "\n") {
		key, _, _ := strings.Cut(c, ":")
		gone := strings.TrimPrefix(key, "-")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, gone+":") })
		if key == gone {
			lines = append(lines, c)
		}
	}
	return strings.Join(lines, "\n    ") + "\n"
}

// TestWarnings: of what can never fire, and why.
func TestWarnings(t *testing.T) {
	for _, c := range []struct{ changes, want string }{
		{"plan: [{at: pool/bcast-push, fault: yield}]", "yield at pool/bcast-push: in 64 executions under control no task has passed the point with the workload inject"},
		{"pool: {workers: [2], variant: tickle}\nplan: [{at: sleep/fenced, fault: delay, for: 1ms}]", "delay at sleep/fenced: in 64 executions under control no task has passed the point with the workload inject and the variant tickle"},
		{"plan: [{at: pool/search-begin, fault: yield, task: wroker 0}]", `yield at pool/search-begin: in 64 executions under control others have passed the point, and no task named "wroker 0"`},
		{"plan: [{at: pool/search-begin, fault: hold, until: pool/bcast-push}]", "hold at pool/search-begin: in 64 executions under control no task has passed pool/bcast-push, so that each hold lasts as long as it may"},
		{"mode: control\nplan: [{at: pool/inject-pre, fault: yield, from: 9}]", "yield at pool/inject-pre: in 64 executions under control no task has reached the hit where it would begin"},
		{"workload: isolated\npool: {workers: [2], rounds: 0}\nmode: control\n-sizes\nplan: [{at: sleep/private-check-post, fault: fail}]", ""},
		{"plan: [{at: pool/search-begin, fault: yield, task: worker 0, probability: 0.01}]", ""},
		{"-plan", ""},
	} {
		got, err := scenario.Load("f.yaml", []byte("version: 1\nscenarios:\n  - "+changed(c.changes)), testSubjects...)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		if warnings, err := testRunner.Rehearse(&got[0]); err != nil || !reflect.DeepEqual(warnings, want) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.changes, err, warnings, want)
		}
	}
}
