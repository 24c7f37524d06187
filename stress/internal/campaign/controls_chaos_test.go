//go:build chaos

package campaign

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/scenario"
)

// victims are, for each positive control of the default campaign, what the summary must name, and what
// the four lines must say of the notification, if the control is about one.
var victims = map[string]struct{ summary, notification string }{
	"dropped-job-notification":       {`job no. \d+ in the injector is stranded: worker 0 sleeps; not run: injector \d, job \d+`, `dropped by the plan at sleep/wake-notify \(once\), last in injector \d`},
	"dropped-latch-notification":     {`worker (0|1) sleeps although its latch is set: it waits for (the other half of a join|a future)`, `dropped by the plan at sleep/latch-set-notify \(once\), last in worker (0|1)`},
	"rolled-jec-leaver":              {`job no. 1 in the injector is stranded: worker 1 sleeps, worker 0 is in user code; not run: outsider, job 1`, `.* rolled the counter at sleep/sleepy-write .*; the plan failed sleep/final-check-post \(.*\), last in worker 1`},
	"one-bit-jec-leaver":             {`job no. 1 in the injector is stranded: worker 1 sleeps, worker 0 is in user code`, `.*; the plan failed sleep/final-check-post \(.*\), last in worker 1`},
	"leaver-wakes-nobody":            {`job no. 1 in the injector is stranded: worker 1 sleeps, worker 0 is in user code`, `dropped by the plan at sleep/found-wake .*, last in worker 0`},
	"dropped-broadcast-notification": {`worker \d sleeps although a broadcast waits for it`, `dropped by the plan at pool/bcast-notify .*, last in broadcaster 0`},
	"dropped-end-notification":       {`worker \d.* sleeps although its latch is set: it waits for jobs, until the pool ends`, `dropped by the plan at sleep/latch-set-notify`},
	"dropped-outsider-notification":  {`an outsider waits for a run that is done`, `dropped by the plan at sleep/latch-lock-notify \(once\), last in worker 0`},

	"workers-never-sleep": {`worker \d.* for work for ever: \d+ failed searches`, ``},
	"sleepers-spin":       {`all workers sleep, there is no work, and the process still uses processors: `, ``},

	"controlled-dropped-job":         {`job no. \d+ in the injector is stranded: worker 0 sleeps|worker 0 sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\), last in (injector 0|workload), visit 0, event`},
	"controlled-dropped-latch":       {`worker (0|1) sleeps although its latch is set`, `dropped by the plan at sleep/latch-set-notify \(once\), last in (worker (0|1)|workload), visit 0`},
	"controlled-dropped-broadcast":   {`worker \d sleeps although a broadcast waits for it`, `dropped by the plan at pool/bcast-notify \(once\), last in broadcaster 0`},
	"controlled-dropped-end":         {`worker \d.* sleeps although its latch is set: it waits for jobs, until the pool ends`, `dropped by the plan at sleep/latch-set-notify`},
	"controlled-dropped-term":        {`no task can continue: main waits to be woken.*wait \(parker.go`, ""}, // nothing was posted to the sleeper
	"controlled-dropped-outsider":    {`an outsider waits for a run that is done`, `dropped by the plan at sleep/latch-lock-notify \(once\), last in worker 0`},
	"controlled-leaver-wakes-nobody": {`job no. 2 in the injector is stranded: worker \d sleeps, worker \d is in user code`, `dropped by the plan at sleep/found-wake`},
	"controlled-finder-wakes-nobody": {`job no. \d in the injector is stranded: worker \d sleeps, worker \d is in user code`, `dropped by the plan at sleep/found-wake`},
	"controlled-roll-over-leaver":    {`job no. 2 in the injector is stranded: worker 1 sleeps, worker 0 is in user code`, `none was sent after that.*; the plan failed sleep/final-check-post \(once\), last in worker 1`},
	"controlled-roll-over-meeting":   {`job no. \d in the injector is stranded: worker \d sleeps, worker \d is in user code`, `none was sent after that.*; the plan failed sleep/final-check-post`},
	"controlled-one-bit-meetings":    {`worker \d sleeps, while worker \d is in user code, with 1 job in the deque that no worker takes`, `none was sent after that`},

	"rfc5-about-to-sleep":           {`worker (0|1) sleeps, while worker (0|1) is in user code, with 1 job in the deque that no worker takes`, `none was sent after that`},
	"rfc5-two-jobs-one-idle":        {`worker (0|1) sleeps, while worker (0|1) is in user code, with 1 job in the deque that no worker takes`, `none was sent after that`},
	"rfc5-jobs-from-outside":        {`job no. \d in the injector is stranded: worker \d.* sleeps?; not run: injector 0, job \d`, `none was sent after that`},
	"rfc5-broadcast":                {`worker \d sleeps although a broadcast waits for it`, `none was sent after that`},
	"rfc5-leaver":                   {`job no. \d in the injector is stranded: worker \d sleeps, worker \d is in user code; not run: outsider, job 1`, `none was sent after that`},
	"rfc5-no-sleepy-about-to-sleep": {`worker (0|1) sleeps, while worker (0|1) is in user code, with 1 job in the deque that no worker takes`, `none was sent after that`},
	"rfc5-no-sleepy-dropped-latch":  {`worker (0|1) sleeps although its latch is set`, `dropped by the plan at sleep/latch-set-notify \(once\)`},
	"local-queue-parallelism":       {`worker \d sleeps, while worker \d is in user code, with 1 job in the deque that no worker takes`, `none was sent after that`},
	"local-queue-meetings":          {`workers? \d.* sleeps?, while worker \d is in user code, with \d jobs? in the deque that no worker takes`, `none is on record|whom that reached is not on record`},
	"readme-leaver":                 {`job no. 2 in the injector is stranded: worker \d sleeps, worker \d is in user code; not run: outsider, job 1`, `none was sent after that`},
	"readme-meeting":                {`job no. \d in the injector is stranded: worker \d sleeps, worker \d is in user code`, `none was sent after that`},
	"readme-broadcast":              {`worker \d sleeps although a broadcast waits for it`, `none was sent after that`},
	"tickle-dropped":                {`job no. \d+ in the injector is stranded: worker 0 sleeps; not run: injector \d, job \d+|worker 0 sleeps although its latch is set`, `dropped by the plan at sleep/tickle-notify \(once\), last in (injector \d|workload)`},
	"tickle-dropped-latch":          {`worker (0|1) sleeps although its latch is set|job no. 1 in the injector is stranded: worker 0, worker 1 sleep`, `dropped by the plan at sleep/tickle-notify`},
	"dropped-trickle":               {`job no. \d+ in the injector is stranded: worker 0 sleeps; not run: outsider, job \d+`, `dropped by the plan at sleep/wake-notify \(once\), last in workload`},
	"dropped-storm":                 {`job no. \d+ in the injector is stranded: worker 0 sleeps; not run: producer \d, job \d+|worker 0 sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\), last in (producer \d|workload)`},
	"dropped-cancellation":          {`job no. \d+ in the injector is stranded: worker 0 sleeps|worker 0 sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"dropped-crowd":                 {`job no. \d+ in the injector is stranded: worker \d+ sleeps.*; not run: meeting \d, job 0|worker \d+ sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"controlled-dropped-trickle":    {`job no. \d in the injector is stranded: worker 0 sleeps; not run: outsider, job \d`, `dropped by the plan at sleep/wake-notify \(once\), last in workload`},
	"controlled-dropped-storm":      {`job no. \d in the injector is stranded: worker 0 sleeps; not run: producer \d, job \d|worker 0 sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\), last in (producer \d|workload)`},
	"controlled-dropped-crowd":      {`job no. \d in the injector is stranded: worker \d sleeps, .* in user code; not run: meeting 0, job 0|worker \d sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"dropped-blocking":              {`job no. \d+ in the injector is stranded: worker 0 sleeps; not run: blockers \d, job \d+|worker \d sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"dropped-panics":                {`an outsider waits for a run that is done`, `dropped by the plan at sleep/latch-lock-notify \(once\), last in worker \d`},
	"dropped-loops":                 {`worker \d.* sleeps although its latch is set`, `dropped by the plan at sleep/latch-set-notify`},
	"dropped-programs":              {`worker \d.* sleeps although its latch is set`, `dropped by the plan at sleep/latch-set-notify`},
	"dropped-burst":                 {`receiver 0.* on, with \d messages? that no receiver has taken since its wake: sender \d, job \d+`, `dropped by the plan at burst/wake-notify \(once\), last in sender \d`},
	"controlled-dropped-blocking":   {`job no. \d in the injector is stranded|sleeps although its latch is set|worker \d blocks`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"controlled-dropped-panics":     {`an outsider waits for a run that is done`, `dropped by the plan at sleep/latch-lock-notify \(once\), last in worker \d`},
	"controlled-dropped-loops":      {`worker \d.* sleeps although its latch is set`, `dropped by the plan at sleep/latch-set-notify`},
	"controlled-dropped-programs":   {`worker \d.* sleeps although its latch is set`, `dropped by the plan at sleep/latch-set-notify \(once\)`},
	"controlled-dropped-burst":      {`receiver \d.* on, with 1 message that no receiver has taken since its wake: sender 0, job \d`, `dropped by the plan at burst/wake-notify \(once\), last in sender 0`},
	"dropped-broadcast-that-yields": {`worker \d sleeps although a broadcast waits for it`, `dropped by the plan at pool/bcast-notify`},
	"dropped-bounded":               {`job no. \d+ in the injector( of pool \d)? is stranded: worker 0( of pool \d)? sleeps|worker 0( of pool \d)? sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"controlled-dropped-closing":    {`job no. \d+ in the injector( of pool \d)? is stranded: worker 0( of pool \d)? sleeps|worker 0( of pool \d)? sleeps although its latch is set`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"controlled-dropped-crossing":   {`worker \d.* sleeps although its latch is set`, `dropped by the plan at sleep/latch-set-notify`},
	"controlled-dropped-orders":     {`no task can continue: main waits.*main/0/\d waits to receive, .* in pool\.receiveOrders`, ""}, // a spare, which no diagnosis knows
	"controlled-dropped-groups":     {`worker \d( of pool \d)? sleeps although its latch is set|job no. \d+ in the injector( of pool \d)? is stranded: worker \d( of pool \d)?.* sleeps?`, `dropped by the plan at sleep/wake-notify \(once\)`},
	"tickle-controlled-dropped":     {`job no. \d+ in the injector is stranded: worker 0 sleeps|worker 0 sleeps although its latch is set`, `dropped by the plan at sleep/tickle-notify \(once\)`},
}

// TestControlsAreDetected runs each positive control of the default campaign, in
// child processes as `stress run` does, and checks that the victim is named.
func TestControlsAreDetected(t *testing.T) {
	scenarios, err := scenario.Default(testSubjects...)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, sc := range scenarios {
		if sc.Expect == verdict.Pass {
			continue
		}
		want, ok := victims[sc.Name]
		if !ok {
			t.Errorf("%s: this test does not know what it detects", sc.Name)
			continue
		}
		seen++
		t.Run(sc.Name, func(t *testing.T) {
			executions := 40
			if sc.Mode == scenario.Control {
				executions = 20_000
			}
			report, err := Run(context.Background(), []scenario.Scenario{sc}, Options{Seed: 1, Executions: executions, Out: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			s := report.Scenarios[0]
			if !report.AsExpected() || s.Failure == nil {
				t.Errorf("%s after %d executions, want %s", s.Verdict, s.Executions, sc.Expect)
				return
			}
			if !regexp.MustCompile(want.summary).MatchString(s.Failure.Summary) {
				t.Errorf("summary %q does not match %q", s.Failure.Summary, want.summary)
			}
			if want.notification == "" {
				return
			}
			explanation := strings.Join(s.Failure.Explanation, "\n")
			for _, line := range []string{`(?m)^checked  `, `(?m)^posted  `, `(?m)^notification +` + want.notification, `(?m)^sleeps  `} {
				if !regexp.MustCompile(line).MatchString(explanation) {
					t.Errorf("no line matches %q in\n%s", line, explanation)
				}
			}
		})
	}
	if seen != len(victims) {
		t.Errorf("%d controls in scenarios.yaml, %d known here", seen, len(victims))
	}
}
