package scenario

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/yamltree"
	"github.com/rouse-go/rouse/stress/subject"
)

// testCatalogue is the catalogue of a binary with two workloads and three
// points, in either build.
func testCatalogue() *catalogue {
	offers := map[string]hooks.FaultKind{
		"test/passed": hooks.Disturbs,
		"test/notify": hooks.Disturbs | hooks.Drops,
		"test/count":  hooks.Disturbs | hooks.Rolls,
	}
	s := poolSubject()
	s.Scenarios = nil
	s.Workloads = slices.DeleteFunc(slices.Clone(s.Workloads), func(w subject.Workload) bool {
		return !slices.Contains([]string{"broadcast", "inject", "join", "story"}, w.Name)
	})
	c := &catalogue{
		points:   []string{"test/count", "test/notify", "test/passed"},
		subjects: []subject.Subject{s},
		check: func(p chaos.Plan) error {
			f := p.Faults[0]
			if set, ok := offers[f.At]; !ok {
				return &chaos.PlanError{Field: "at", Found: "an unknown point", Want: "a known one"}
			} else if set&f.Kind == 0 {
				return &chaos.PlanError{Field: "fault", Found: f.Kind.String(), Want: set.String()}
			}
			return nil
		},
	}
	c.whole, c.subject = c, &c.subjects[0]
	return c
}

const head = "version: 1\nscenarios:\n"

// scenarioText is a valid scenario with some of its lines replaced: "key: value"
// replaces the line of that key, "-key" deletes it, another line is added.
func scenarioText(changes ...string) string {
	lines := []string{
		"name: a",
		"about: b",
		"pool: {workers: [1, 2]}",
		"workload: inject",
		"sizes: {jobs: 5}",
		"plan: [{at: test/notify, fault: drop}]",
		"expect: lost-wakeup",
	}
	for _, c := range changes {
		key, _, _ := strings.Cut(c, ":")
		gone := strings.TrimPrefix(key, "-")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, gone+":") })
		switch {
		case key != gone:
			lines = slices.Delete(lines, i, i+1)
		case i >= 0:
			lines[i] = c
		default:
			lines = append(lines, c)
		}
	}
	return "  - " + strings.Join(lines, "\n    ") + "\n"
}

// badInputs are files and the one line that refuses each.
var badInputs = []struct{ name, text, want string }{
	{"empty", "", "f.yaml: the file is empty"},
	{"only a comment", "# nothing\n", "f.yaml: the file is empty"},
	{"not UTF-8", "version: 1\nscen\xffarios:\n", "f.yaml:2:5: found the byte 0xff, want UTF-8 text"},
	{"binary", "\x7fELF\x02\x01", "f.yaml:1:1: found the character U+007F, want printable text"},
	{"too deep", strings.Repeat("[", 1100), "f.yaml:1:1001: nested too deeply for a file of this kind"},
	{"too deep in blocks", strings.Repeat("- ", 200) + "a", "f.yaml:1:257: nested too deeply for a file of this kind"},
	{"too large", strings.Repeat("#\n", 200<<10), "f.yaml: the file has 409600 bytes, want at most 262144"},
	{"tab", "version: 1\nscenarios:\n\t- name: a\n", "f.yaml:3:1: not YAML: found character '\\t' that cannot start any token"},
	{"open bracket", "version: 1\nscenarios: [a\n", "f.yaml:2:12: not YAML: sequence end token ']' not found"},
	{"open quote", "version: \"1\n", "f.yaml:1:10: not YAML: could not find end character of double-quoted text"},
	{"two documents", head + scenarioText() + "---\nversion: 1\n", "f.yaml:10:1: found a second YAML document, want one in a file"},
	{"not a mapping", "- a\n", "f.yaml:1:1: found a list, want the file: a mapping with the keys absent, extends, remove, scenarios and version"},
	{"a word", "hello\n", `f.yaml:1:1: found the text "hello", want the file: a mapping with the keys absent, extends, remove, scenarios and version`},
	{"no version", "scenarios: []\n", `f.yaml:1:1: the file lacks the key "version"`},
	{"wrong version", "version: 2\nthings: []\n", "f.yaml:1:10: version: found 2, want 1: the version that this program reads"},
	{"version is text", "version: one\nscenarios: []\n", `f.yaml:1:10: version: found the text "one", want 1: the version that this program reads`},
	{"no scenarios key", "version: 1\n", `f.yaml:1:1: the file lacks the key "scenarios" or "extends"`},
	{"no scenarios", "version: 1\nscenarios: []\n", "f.yaml:2:12: scenarios: the list is empty, want at least 1"},
	{"nothing for scenarios", "version: 1\nscenarios:\n", "f.yaml:2:12: scenarios: found nothing, want a list"},
	{"top-level key", "version: 1\nscenario:\n" + scenarioText(), `f.yaml:2:1: unknown key "scenario" in the file; did you mean "scenarios"?`},
	{"number as key", "version: 1\n7: 1\n", `f.yaml:2:1: unknown key "7" in the file; want one of absent, extends, remove, scenarios, version`},
	{"scenario is a word", head + "  - a\n", `f.yaml:3:5: found the text "a", want a scenario: a mapping with the keys about, base, clock, except, executions, expect, group, max-steps, may, mode, name, plan, pool, remove, share, sizes, strategy, subject, why and workload`},
	{"misspelt key", head + scenarioText("-workload", "worklod: inject"), `f.yaml:9:5: unknown key "worklod" in a scenario; did you mean "workload"?`},
	{"alien key", head + scenarioText("colour: red"), `f.yaml:10:5: unknown key "colour" in a scenario; want one of about, base, clock, except, executions, expect, group, max-steps, may, mode, name, plan, pool, remove, share, sizes, strategy, subject, why, workload`},
	{"duplicate key", head + scenarioText() + "    name: b\n", `f.yaml:10:5: duplicate key "name" in a scenario; the first is at line 3, column 5`},
	{"missing key", head + scenarioText("-expect"), `f.yaml:3:5: a scenario lacks the key "expect"`},
	{"duplicate name", head + scenarioText() + scenarioText(), `f.yaml:10:11: duplicate scenario name "a"; the first is at line 3, column 11`},
	{"name as path", head + scenarioText("name: ../x"), `f.yaml:3:11: name: found the text "../x", want lower-case words joined by hyphens, at most 64 characters`},
	{"group of two words", head + scenarioText("group: two words"), `f.yaml:10:12: group: found the text "two words", want lower-case words joined by hyphens, at most 64 characters`},
	{"name is a number", head + scenarioText("name: 7"), "f.yaml:3:11: name: found 7, want text"},
	{"about is a list", head + scenarioText("about: [x]"), "f.yaml:4:12: about: found a list, want text"},
	{"about has a tag", head + scenarioText("about: !!str x"), "f.yaml:4:12: about: found the tag !!str, want text"},
	{"about is empty", head + scenarioText(`about: " "`), "f.yaml:4:12: about: found an empty text, want what the scenario shows"},
	{"about is null", head + scenarioText("about:"), "f.yaml:4:11: about: found nothing, want text"},
	{"unknown workload", head + scenarioText("workload: injct"), `f.yaml:6:15: unknown workload "injct"; did you mean "inject"?`},
	{"far workload", head + scenarioText("workload: sort"), `f.yaml:6:15: unknown workload "sort"; want one of broadcast, inject, join, story`},
	{"unknown verdict", head + scenarioText("expect: lost-wakup"), `f.yaml:9:13: unknown verdict "lost-wakup"; did you mean "lost-wakeup"?`},
	{"executions", head + scenarioText("executions: 0"), "f.yaml:10:17: executions: found 0, want a whole number from 1 to 2147483647"},
	{"executions is text", head + scenarioText(`executions: "5"`), `f.yaml:10:17: executions: found the text "5", want a whole number from 1 to 2147483647`},
	{"share", head + scenarioText("share: 1001"), "f.yaml:10:12: share: found 1001, want a whole number from 1 to 1000"},
	{"nothing can happen", head + scenarioText("plan: []"), "f.yaml:9:13: expect: found lost-wakeup without a plan, want a fault that brings it about, or expect: pass"},
	{"nothing to reach", head + scenarioText("-plan", "expect: never-reached"), "f.yaml:8:13: expect: found never-reached without a plan, want a fault that could be reached"},
	{"unknown mode", head + scenarioText("mode: contrl"), `f.yaml:10:11: unknown mode "contrl"; did you mean "control"?`},
	{"mode is a list", head + scenarioText("mode: [control]"), "f.yaml:10:11: mode: found a list, want text"},
	{"native strategy", head + scenarioText("strategy: pct"), "f.yaml:10:5: strategy: found it in a native scenario, where nobody chooses; want mode: control, or no strategy"},
	{"native steps", head + scenarioText("mode: native", "max-steps: 10"), "f.yaml:11:5: max-steps: found it in a native scenario, where nobody chooses; want mode: control, or no max-steps"},
	{"unknown strategy", head + scenarioText("mode: control", "strategy: pcd(3)"), `f.yaml:11:15: strategy: "pcd(3)": the strategies are random, pct, pct(N), pos, urw, surw, dfs, dfs(N), dpor, portfolio, default`},
	{"strategy's parameter", head + scenarioText("mode: control", "strategy: pct(0)"), `f.yaml:11:15: strategy: "pct(0)": pct takes a whole number from 1 on: write "pct(3)"`},
	{"no steps", head + scenarioText("mode: control", "max-steps: 0"), "f.yaml:11:16: max-steps: found 0, want a whole number from 1 to 2147483647"},
	{"nothing to reach under control", head + scenarioText("mode: control", "-plan", "expect: never-reached"), "f.yaml:8:13: expect: found never-reached without a plan, want a fault that could be reached"},
	{"unknown anchor", head + scenarioText("pool: *p"), `f.yaml:5:11: unknown anchor "p"; there are none`},
	{"misspelt anchor", head + scenarioText("about: &text x", "pool: *txt"), `f.yaml:5:11: unknown anchor "txt"; did you mean "text"?`},
	{"circle", "version: 1\nscenarios: &s [*s]\n", `f.yaml:2:16: unknown anchor "s"; there are none`},
	{"merge in merge", head + scenarioText("pool: {<<: {<<: {jec-bits: 1}}}"), "f.yaml:5:21: found a merge within a merged mapping, want it directly in pool"},
	{"merge of a word", head + scenarioText("pool: {<<: x}"), `f.yaml:5:16: found the text "x", want a mapping to merge into pool`},

	{"workers missing", head + scenarioText("pool: {}"), `f.yaml:5:11: pool lacks the key "workers"`},
	{"workers empty", head + scenarioText("pool: {workers: []}"), "f.yaml:5:21: workers: the list is empty, want 1 to 64"},
	{"workers not a list", head + scenarioText("pool: {workers: 3}"), "f.yaml:5:21: workers: found 3, want a list"},
	{"workers zero", head + scenarioText("pool: {workers: [1, 0]}"), "f.yaml:5:25: workers: found 0, want a whole number from 1 to 256"},
	{"workers too many", head + scenarioText("pool: {workers: [257]}"), "f.yaml:5:22: workers: found 257, want a whole number from 1 to 256"},
	{"workers zero of three", head + scenarioText("pool: {workers: [0], thread-bits: 2}"), "f.yaml:5:22: workers: found 0, want a whole number from 1 to 256"},
	{"workers negative", head + scenarioText("pool: {workers: [-2]}"), "f.yaml:5:22: workers: found -2, want a whole number from 1 to 256"},
	{"workers fraction", head + scenarioText("pool: {workers: [1.5]}"), "f.yaml:5:22: workers: found 1.5, want a whole number from 1 to 256"},
	{"too many workers", head + scenarioText("pool: {workers: [4], thread-bits: 2}"), "f.yaml:5:22: workers: found 4, want a whole number from 1 to 3: 2 thread-bits count no further"},
	{"too few for the workload", head + scenarioText("workload: story", "-sizes", "pool: {workers: [2, 1]}"), "f.yaml:5:25: workers: found 1 worker, want at least 2: the workload story is for no less"},
	{"too many for the workload", head + scenarioText("workload: story", "-sizes", "pool: {workers: [4]}"), "f.yaml:5:22: workers: found 4 workers, want at most 2: the workload story is for no more"},
	{"misspelt pool key", head + scenarioText("pool: {workers: [1], jecbits: 3}"), `f.yaml:5:26: unknown key "jecbits" in pool; did you mean "jec-bits"?`},
	{"jec-bits in a list", head + scenarioText("pool: {workers: [1], jec-bits: [1, 63]}"), "f.yaml:5:40: jec-bits: found 63, want a whole number from 1 to 62"},
	{"jec-bits twice", head + scenarioText("pool: {workers: [1], jec-bits: [1, 2, 1]}"), "f.yaml:5:43: jec-bits: found 1 twice"},
	{"jec-bits empty", head + scenarioText("pool: {workers: [1], jec-bits: []}"), "f.yaml:5:36: jec-bits: the list is empty, want 1 to 64"},
	{"jec-bits with workers", head + scenarioText("pool: {workers: [1, 2, 3], jec-bits: [1, 40], thread-bits: 13}"), "f.yaml:5:46: jec-bits: 40 jec-bits and twice 13 thread-bits are 66 bits, want at most 64"},
	{"workers with jec-bits", head + scenarioText("pool: {workers: [1, 4], jec-bits: [1, 2], thread-bits: 2}"), "f.yaml:5:25: workers: found 4, want a whole number from 1 to 3: 2 thread-bits count no further"},
	{"two lists of threads", head + scenarioText("pool: {workers: [1], thread-bits: [1, 2]}"), "f.yaml:5:39: thread-bits: found a list, want a whole number from 1 to 30"},
	{"jec-bits", head + scenarioText("pool: {workers: [1], jec-bits: 0}"), "f.yaml:5:36: jec-bits: found 0, want a whole number from 1 to 62"},
	{"jec-bits huge", head + scenarioText("pool: {workers: [1], jec-bits: 99999999999999999999}"), `f.yaml:5:36: jec-bits: found the text "99999999999999999999", want a whole number from 1 to 62`},
	{"widths", head + scenarioText("pool: {workers: [1], jec-bits: 40, thread-bits: 13}"), "f.yaml:5:36: jec-bits: 40 jec-bits and twice 13 thread-bits are 66 bits, want at most 64"},
	{"widths by default", head + scenarioText("pool: {workers: [1], thread-bits: 17}"), "f.yaml:5:39: thread-bits: 32 jec-bits and twice 17 thread-bits are 66 bits, want at most 64"},
	{"initial-jec", head + scenarioText("pool: {workers: [1], jec-bits: 2, initial-jec: 4}"), "f.yaml:5:52: initial-jec: found 4, want at most 3 (max): 2 jec-bits count no further"},
	{"initial-jec text", head + scenarioText("pool: {workers: [1], initial-jec: min}"), `f.yaml:5:39: initial-jec: found the text "min", want a whole number or max`},
	{"initial-jec negative", head + scenarioText("pool: {workers: [1], initial-jec: -1}"), "f.yaml:5:39: initial-jec: found -1, want a whole number or max"},
	{"deque capacity", head + scenarioText("pool: {workers: [1], deque-capacity: 6}"), "f.yaml:5:42: deque-capacity: found 6, want one of 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048 and 4096"},
	{"no room", head + scenarioText("pool: {workers: [1], max-injected: 0}"), "f.yaml:5:40: max-injected: found 0, want a whole number from 1 to 100000"},
	{"deque capacity huge", head + scenarioText("pool: {workers: [1], deque-capacity: 8192}"), "f.yaml:5:42: deque-capacity: found 8192, want one of 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048 and 4096"},
	{"rounds", head + scenarioText("pool: {workers: [1], rounds: -1}"), "f.yaml:5:34: rounds: found -1, want a whole number from 0 to 1000000"},

	{"size negative", head + scenarioText("sizes: {jobs: -1}"), "f.yaml:7:19: jobs: found -1, want a whole number from 1 to 100000"},
	{"size zero", head + scenarioText("sizes: {jobs: 0}"), "f.yaml:7:19: jobs: found 0, want a whole number from 1 to 100000"},
	{"size misspelt", head + scenarioText("sizes: {job: 1}"), `f.yaml:7:13: unknown key "job" in sizes; did you mean "jobs"?`},
	{"size not used", head + scenarioText("sizes: {depth: 1}"), `f.yaml:7:13: unknown key "depth" in sizes; want one of injectors, jobs, pause`},
	{"pause number", head + scenarioText("sizes: {pause: 200}"), "f.yaml:7:20: pause: found 200, want a duration that is not negative, such as 200us, 1.5ms or 1m"},
	{"pause unit", head + scenarioText("sizes: {pause: 200sec}"), `f.yaml:7:20: pause: found the text "200sec", want a duration that is not negative, such as 200us, 1.5ms or 1m`},
	{"pause negative", head + scenarioText("sizes: {pause: -1s}"), `f.yaml:7:20: pause: found the text "-1s", want a duration that is not negative, such as 200us, 1.5ms or 1m`},
	{"pause zero", head + scenarioText("sizes: {pause: 0s}"), "f.yaml:7:20: pause: found 0s, want a duration from 1ns to 10s"},
	{"pause too long", head + scenarioText("sizes: {pause: 2562047h}"), "f.yaml:7:20: pause: found 2562047h, want a duration from 1ns to 10s"},
	{"pauses too long", head + scenarioText("sizes: {jobs: 11, pause: 1s}"), "f.yaml:7:12: the pauses of the workload inject come to more than 10s in an execution, want at most that"},
	{"jobs too many", head + scenarioText("sizes: {jobs: 2000000000}"), "f.yaml:7:19: jobs: found 2000000000, want a whole number from 1 to 100000"},
	{"jobs too many together", head + scenarioText("sizes: {jobs: 100000, injectors: 11, pause: 1us}"), "f.yaml:7:12: the workload inject comes to more than 131072 jobs in an execution, want at most so many"},
	{"jobs too many for the workers", head + scenarioText("workload: broadcast", "pool: {workers: [1, 256]}", "sizes: {jobs: 129}"), "f.yaml:7:12: the workload broadcast comes to more than 131072 jobs in an execution, want at most so many"},
	{"injectors too many", head + scenarioText("sizes: {injectors: 1001}"), "f.yaml:7:24: injectors: found 1001, want a whole number from 1 to 1000"},
	{"repeat too often", head + scenarioText("workload: join", "pool: {workers: [2]}", "sizes: {repeat: 1001}"), "f.yaml:7:21: repeat: found 1001, want a whole number from 1 to 1000"},
	{"join too deep", head + scenarioText("workload: join", "pool: {workers: [2]}", "sizes: {depth: 17}"), "f.yaml:7:20: depth: found 17, want a whole number from 1 to 16: the workload join has 2^depth leaves"},
	{"join far too deep", head + scenarioText("workload: join", "pool: {workers: [2]}", "sizes: {depth: 65}"), "f.yaml:7:20: depth: found 65, want a whole number from 1 to 16: the workload join has 2^depth leaves"},
	{"join too much", head + scenarioText("workload: join", "pool: {workers: [2]}", "sizes: {depth: 16, repeat: 17}"), "f.yaml:7:12: the workload join comes to more than 131072 jobs in an execution, want at most so many"},

	{"unknown strategy of sleep", head + scenarioText("pool: {workers: [1], variant: tickel}"), `f.yaml:5:35: unknown variant "tickel"; did you mean "tickle"?`},
	{"strategy of sleep is a list", head + scenarioText("pool: {workers: [1], variant: [tickle]}"), "f.yaml:5:35: variant: found a list, want text"},
	{"may pass", head + scenarioText("may: pass"), `f.yaml:10:10: may: found the text "pass", want another verdict; with expect: pass and this one it comes to the same`},
	{"may, misspelt", head + scenarioText("may: [deadlock, lost-wakup]"), `f.yaml:10:21: unknown verdict "lost-wakup"; did you mean "lost-wakeup"?`},
	{"may, empty", head + scenarioText("may: []"), "f.yaml:10:10: may: the list is empty, want at least 1"},
	{"why is empty", head + scenarioText(`why: ""`), "f.yaml:10:10: why: found an empty text, want the reason"},
	{"except is a mapping", head + scenarioText("except: {rfc5: x}"), "f.yaml:10:13: except: found a mapping, want a list"},
	{"except whom", head + scenarioText("except: [{expect: pass, why: x}]"), `f.yaml:10:14: an exception lacks the key "variant"`},
	{"except, misspelt", head + scenarioText("except: [{variant: [rfc5, tickel], expect: pass, why: x}]"), `f.yaml:10:31: unknown variant "tickel"; did you mean "tickle"?`},
	{"except, alien key", head + scenarioText("except: [{variant: rfc5, wy: x}]"), `f.yaml:10:30: unknown key "wy" in an exception; did you mean "why"?`},
	{"except one twice", head + scenarioText("except: [{variant: [rfc5, rfc5], expect: pass, why: x}]"), "f.yaml:10:31: variant: found rfc5 twice"},
	{"except nothing", head + scenarioText("except: [{variant: rfc5, why: x}]"), `f.yaml:10:14: an exception lacks the key "without" or "expect" or "may"`},
	{"except for no reason", head + scenarioText("except: [{variant: rfc5, expect: pass}]"), `f.yaml:10:14: an exception lacks the key "why"`},
	{"except for an empty reason", head + scenarioText(`except: [{variant: rfc5, expect: pass, why: " "}]`), "f.yaml:10:49: why: found an empty text, want the reason"},
	{"except, two verdicts", head + scenarioText("except: [{variant: rfc5, expect: pass, why: x}, {variant: [tickle, rfc5], expect: leak, why: x}]"), "f.yaml:10:87: except: found a second verdict for rfc5; the first is at line 10, column 38"},
	{"except of one's own", head + scenarioText("pool: {workers: [1], variant: rfc5}", "except: [{variant: tickle, expect: pass, why: x}]"), "f.yaml:10:5: except: found it in a scenario that is about one variant, want none there"},
	{"without what is not there", head + scenarioText("except: [{variant: rfc5, without: test/passed, why: x}]"), `f.yaml:10:39: without: found "test/passed", where the plan has no fault`},
	{"except, without a plan", head + scenarioText("except: [{variant: tickle, without: test/notify, expect: lost-wakeup, why: x}]"), "f.yaml:10:62: expect: found lost-wakeup, but with tickle there is no plan; want a fault that brings it about, or expect: pass"},
	{"absent is text", "version: 1\nabsent: rfc5\nscenarios:\n" + scenarioText(), `f.yaml:2:9: absent: found the text "rfc5", want a list`},
	{"absent for no reason", "version: 1\nabsent: [{variant: rfc5, points: test/notify}]\nscenarios:\n" + scenarioText(), `f.yaml:2:10: an absence lacks the key "why"`},
	{"absent, misspelt", "version: 1\nabsent: [{variant: rfc5, points: [test/notfy], why: x}]\nscenarios:\n" + scenarioText(), `f.yaml:2:35: unknown hook point "test/notfy"; did you mean "test/notify"?`},
	{"absent, without a plan", "version: 1\nabsent: [{variant: tickle, points: test/notify, why: x}]\nscenarios:\n" + scenarioText("except: [{variant: tickle, expect: leak, why: x}]"), "f.yaml:11:40: expect: found leak, but with tickle there is no plan; want a fault that brings it about, or expect: pass"},

	{"plan is a mapping", head + scenarioText("plan: {at: x}"), "f.yaml:8:11: plan: found a mapping, want a list"},
	{"fault is a word", head + scenarioText("plan: [drop]"), `f.yaml:8:12: found the text "drop", want a fault: a mapping with the keys at, fault, probability, count, task, from, every, for, shape, mean, until, by and to`},
	{"fault without point", head + scenarioText("plan: [{fault: drop}]"), `f.yaml:8:12: a fault lacks the key "at"`},
	{"unknown fault", head + scenarioText("plan: [{at: test/notify, fault: dorp}]"), `f.yaml:8:37: unknown fault "dorp"; did you mean "drop"?`},
	{"misspelt option", head + scenarioText("plan: [{at: test/notify, fault: drop, probabilty: 1}]"), `f.yaml:8:43: unknown key "probabilty" in a fault; did you mean "probability"?`},
	{"probability zero", head + scenarioText("plan: [{at: test/notify, fault: drop, probability: 0}]"), "f.yaml:8:56: probability: found 0, want a number above 0 and at most 1"},
	{"probability above one", head + scenarioText("plan: [{at: test/notify, fault: drop, probability: 1.01}]"), "f.yaml:8:56: probability: found 1.01, want a number above 0 and at most 1"},
	{"probability is no number", head + scenarioText("plan: [{at: test/notify, fault: drop, probability: .nan}]"), "f.yaml:8:56: probability: found .nan, want a number above 0 and at most 1"},
	{"count", head + scenarioText("plan: [{at: test/notify, fault: drop, count: 0}]"), "f.yaml:8:50: count: found 0, want a whole number from 1 to 2147483647"},
	{"task", head + scenarioText(`plan: [{at: test/notify, fault: drop, task: ""}]`), "f.yaml:8:49: task: found an empty name, want the name of a task; without the key it is any"},
	{"range", head + scenarioText("plan: [{at: test/passed, fault: delay, for: 2ms..50us}]"), "f.yaml:8:49: for: found the range 2ms..50us, want the smaller bound first: 50us..2ms"},
	{"range garbage", head + scenarioText("plan: [{at: test/passed, fault: delay, for: 1ms..soon}]"), `f.yaml:8:49: for: found the text "soon", want a duration such as 200us, 1.5ms or 1m`},
	{"delay negative", head + scenarioText("plan: [{at: test/passed, fault: delay, for: -1ms}]"), "f.yaml:8:49: for: found -1ms, want a duration that is not negative"},
	{"delay of nothing", head + scenarioText("plan: [{at: test/passed, fault: delay, for: 0s}]"), "f.yaml:8:49: for: found 0, want a duration above 0"},
	{"delay too long", head + scenarioText("plan: [{at: test/passed, fault: delay, for: 1h}]"), "f.yaml:8:49: for: found 1h0m0s, want at most 10s: a longer delay looks like a hang"},
	{"delay is a number", head + scenarioText("plan: [{at: test/passed, fault: delay, for: 3}]"), "f.yaml:8:49: for: found 3, want a duration such as 1ms or a range such as 50us..2ms"},
	{"roll by text", head + scenarioText("plan: [{at: test/count, fault: roll, by: two}]"), `f.yaml:8:46: by: found the text "two", want a whole number of at most 64 bits`},
	{"roll by too much", head + scenarioText("plan: [{at: test/count, fault: roll, by: 9223372036854775808}]"), "f.yaml:8:46: by: found 9223372036854775808, want a whole number of at most 64 bits"},
	{"roll by nothing", head + scenarioText("plan: [{at: test/count, fault: roll, by: 0}]"), "f.yaml:8:46: by: found 0, which leaves the counter as it is; want a number such as -2"},
	{"roll to the negative", head + scenarioText("plan: [{at: test/count, fault: roll, to: -1}]"), "f.yaml:8:46: to: found -1, want a whole number, 0 or more, of at most 64 bits"},
	{"from", head + scenarioText("plan: [{at: test/notify, fault: drop, from: 0}]"), "f.yaml:8:49: from: found 0, want a whole number from 1 to 2147483647"},
	{"every", head + scenarioText("plan: [{at: test/notify, fault: drop, every: third}]"), `f.yaml:8:50: every: found the text "third", want a whole number from 1 to 2147483647`},
	{"misspelt shape", head + scenarioText("plan: [{at: test/passed, fault: delay, for: 1ms, shape: paretto}]"), `f.yaml:8:61: unknown shape "paretto"; did you mean "pareto"?`},
	{"mean", head + scenarioText("plan: [{at: test/passed, fault: delay, for: 1ms, shape: pareto, mean: 3}]"), "f.yaml:8:75: mean: found 3, want a duration such as 200us, 1.5ms or 1m"},
	{"until", head + scenarioText("plan: [{at: test/passed, fault: hold, until: [test/notify]}]"), "f.yaml:8:50: until: found a list, want text"},
	{"hold too long", head + scenarioText("plan: [{at: test/passed, fault: hold, until: test/notify, for: 1h}]"), "f.yaml:8:68: for: found 1h0m0s, want at most 10s: a longer delay looks like a hang"},
	{"what the engine refuses", head + scenarioText("plan: [{at: test/passed, fault: drop}]"), "f.yaml:8:37: fault: found drop, want delay|yield|hold"},
	{"at nothing", head + scenarioText("plan: [{at: [], fault: drop}]"), "f.yaml:8:17: at: the list is empty"},
	{"at one twice", head + scenarioText("plan: [{at: [test/notify, test/notify], fault: drop}]"), "f.yaml:8:31: at: found test/notify twice"},
	{"one of them does not offer it", head + scenarioText("plan: [{at: [test/notify, test/passed], fault: drop}]"), "f.yaml:8:31: fault: found drop, want delay|yield|hold"},
	{"one of them is unknown", head + scenarioText("plan: [{at: [test/notify, test/past], fault: drop}]"), "f.yaml:8:31: at: found an unknown point, want a known one"},
	{"too many faults of few", head + scenarioText("plan: ["+strings.Repeat("{at: [test/notify, test/passed], fault: yield}, ", 129)+"]"), "f.yaml:8:6156: plan: with this one there are 258 faults, want at most 256"},
	{"too many faults", head + scenarioText("plan: ["+strings.Repeat("{}, ", 300)+"]"), "f.yaml:8:1036: plan: the list has 300 elements, want at most 256"},
}

func TestBadInput(t *testing.T) {
	for _, c := range badInputs {
		t.Run(c.name, func(t *testing.T) {
			_, err := load("f.yaml", []byte(c.text), testCatalogue())
			var input *InputError
			if !errors.As(err, &input) {
				t.Fatalf("got %v, want an *InputError", err)
			}
			if got := err.Error(); got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	text := head + `  - &first
    name: one
    group: firsts
    about: >
      Folded
      text.
    pool: &small {workers: [1, 2, 3], jec-bits: 1, initial-jec: max, rounds: 0}
    workload: inject
    sizes: {jobs: 50, injectors: 2, pause: 200us}
    plan:
      - {at: test/passed, fault: delay, for: 50us..2ms, probability: 1e-2, count: 100, task: worker 0}
      - {at: test/count, fault: roll, by: -2}
      - {at: [test/passed, test/notify], fault: yield, every: 2}
      - {at: test/count, fault: roll, to: 0x10}
      - {at: test/passed, fault: delay, for: 1ms}
      - {at: test/passed, fault: delay, for: 10us..1s, shape: exponential, mean: 20us, from: 10, every: 3}
      - {at: test/passed, fault: hold, until: test/notify, for: 5ms, task: "worker *"}
    expect: lost-wakeup
    executions: 200
    share: 3
  - <<: *first
    name: two
    pool: {<<: *small, workers: [4]}
    expect: pass
  - <<: *first
    name: three
    mode: control
    strategy: pct(3)
    max-steps: 5000
    plan: []
    expect: lost-parallelism
`
	got, err := load("f.yaml", []byte(text), testCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	to := uint64(16)
	one := Scenario{
		Name: "one", Group: "firsts", About: "Folded text.",
		Subject: "pool", Setup: map[string]string{"workers": "[1, 2, 3]", "jec-bits": "1", "rounds": "0", "initial-jec": "max"},
		Workload: "inject", Sizes: map[string]string{"jobs": "50", "injectors": "2", "pause": "200us"},
		Plan: []chaos.Fault{
			{At: "test/passed", Kind: hooks.Delays, Min: 50 * time.Microsecond, Max: 2 * time.Millisecond,
				Probability: 0.01, Count: 100, Task: "worker 0"},
			{At: "test/count", Kind: hooks.Rolls, By: -2},
			{At: "test/passed", Kind: hooks.Yields, Every: 2},
			{At: "test/notify", Kind: hooks.Yields, Every: 2},
			{At: "test/count", Kind: hooks.Rolls, To: &to},
			{At: "test/passed", Kind: hooks.Delays, Min: time.Millisecond, Max: time.Millisecond},
			{At: "test/passed", Kind: hooks.Delays, Min: 10 * time.Microsecond, Max: time.Second,
				Shape: chaos.Exponential, Mean: 20 * time.Microsecond, From: 10, Every: 3},
			{At: "test/passed", Kind: hooks.Holds, Until: "test/notify", Min: 5 * time.Millisecond, Max: 5 * time.Millisecond, Task: "worker *"},
		},
		Expect: verdict.LostWakeup, Executions: 200, Share: 3,
	}
	two := one
	two = sized(two, "workers", "[4]")
	two.Name, two.Expect = "two", verdict.Pass
	three := one
	three.Name, three.Mode, three.Strategy, three.MaxSteps, three.Plan, three.Expect = "three", Control, "pct(3)", 5000, nil, verdict.LostParallelism
	if want := []Scenario{one, two, three}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}

	again, err := load("again.yaml", Encode(got), testCatalogue())
	if err != nil {
		t.Fatalf("%v in\n%s", err, Encode(got))
	}
	if !reflect.DeepEqual(again, got) {
		t.Errorf("encoded and loaded again:\ngot  %+v\nwant %+v\n%s", again, got, Encode(got))
	}
}

func TestLoadByteOrderMark(t *testing.T) {
	if _, err := load("f.yaml", []byte("\uFEFF"+head+scenarioText()), testCatalogue()); err != nil {
		t.Error(err)
	}
}

func TestLoadUnreadable(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:           dir + ": found a folder, want a regular file",
		dir + "/none": dir + "/none: cannot be read: no such file or directory",
	} {
		if _, err := LoadFile(path, testSubjects...); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// FuzzLoad feeds the loader anything; it must neither panic nor accept what it
// cannot write down and read again.
func FuzzLoad(f *testing.F) {
	for _, c := range badInputs {
		if len(c.text) < 1<<10 {
			f.Add(c.text)
		}
	}
	f.Add(head + scenarioText())
	f.Add(head + scenarioText("sizes: {}"))
	f.Add(string(rouse.Scenarios))
	f.Fuzz(func(t *testing.T, text string) {
		got, err := load("f.yaml", []byte(text), testCatalogue())
		var input *InputError
		if err != nil {
			if !errors.As(err, &input) || strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("%T %q, want an *InputError in one line", err, err)
			}
			return
		}
		again, err := load("again.yaml", Encode(got), testCatalogue())
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("%v; encoded:\n%s\nfrom\n%s", err, Encode(got), text)
		}
	})
}

// FuzzEncodeText writes any text as what a scenario is about and as the name of
// a task, and reads it back.
func FuzzEncodeText(f *testing.F) {
	for _, s := range []string{"x", "- x", "a: b", "a #b", "'", `"`, "null", "1.5", "~", "a\nb", "\u00e9\U0001F600", "{}", "yes", "a\tb", "&a", "*a", "!t", "%", "@", "`", "\x00\x7f\u2028\ufeff", "\\", "a  b", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.TrimSpace(strings.ToValidUTF8(s, ""))
		if s == "" || len(s) > 400 { // what is about nothing is refused; more brackets are nesting
			return
		}
		sc := Scenario{Name: "a", About: s, Subject: "pool", Setup: map[string]string{"workers": "[1]"}, Workload: "inject", Expect: verdict.Pass,
			Plan: []chaos.Fault{{At: "test/passed", Kind: hooks.Yields, Task: s}}}
		text := Encode([]Scenario{sc})
		got, err := load("f.yaml", text, testCatalogue())
		if err != nil || !reflect.DeepEqual(got[0], sc) {
			t.Errorf("%v\n%s\ngot  %+v\nwant %+v", err, text, got, sc)
		}
		sc.Mode = Control
		block := EncodeOne(&sc)
		again, err := one(yamltree.Source{File: "r", Text: []byte(block)}, testCatalogue())
		if err != nil || !reflect.DeepEqual(again, &sc) {
			t.Errorf("%v\n%s\ngot  %+v\nwant %+v", err, block, again, sc)
		}
	})
}
