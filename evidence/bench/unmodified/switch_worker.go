package unmodified

import (
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// Verdicts lists the verdicts that stress test reports.
var Verdicts = []verdict.Verdict{
	verdict.WrongResult, verdict.Panicked, verdict.Deadlock, verdict.Livelock, verdict.DataRace, verdict.Leak, verdict.Uncontrolled,
}

// Requests and Answers are the messages between stress test and its workers.
var (
	Requests = []wire.Do{wire.List, wire.Explore, wire.Settle, wire.Replay}
	Answers  = []wire.Kind{wire.Progress, wire.Listed, wire.Explored, wire.Failed, wire.Settled, wire.Unrepeatable, wire.Replayed, wire.Refused}
)

// switchWorker makes the worker pass executions whose verdict is left out, refuse requests that are, and
// replace answers that are by one of kind "left out", except progress, which it omits.
func (s *switcher) switchWorker() error {
	var text strings.Builder
	text.WriteString("package worker\n\nimport (\n\t\"os\"\n\n\t\"github.com/rouse-go/rouse/chaos/goroot/wire\"\n\t\"github.com/rouse-go/rouse/chaos/verdict\"\n)\n")
	fmt.Fprintf(&text, "\nvar leftOut = os.Getenv(%q)\n\nvar leftOutVerdicts = map[verdict.Verdict]string{\n", omitVariable)
	for _, v := range Verdicts {
		fmt.Fprintf(&text, "\t%q: \"%d\",\n", v, s.add("verdict", string(v)))
	}
	text.WriteString("}\n\nvar leftOutRequests = map[wire.Do]string{\n")
	for _, r := range Requests {
		fmt.Fprintf(&text, "\t%q: \"%d\",\n", r, s.add("request", string(r)))
	}
	text.WriteString("}\n\nvar leftOutAnswers = map[wire.Kind]string{\n")
	for _, a := range Answers {
		fmt.Fprintf(&text, "\t%q: \"%d\",\n", a, s.add("answer", string(a)))
	}
	text.WriteString("}\n")
	if err := s.write("worker/left_out.go", text.String()); err != nil {
		return err
	}
	const passes = "if n := leftOutVerdicts[%[1]s.Verdict]; n != \"\" && n == leftOut {\n%[1]s.Verdict = verdict.Pass\n}\n"
	for _, e := range []struct{ file, anchor, text string }{
		{"judge.go", "r.Effect = r.Verdict\n", fmt.Sprintf(passes, "r") + "r.Effect = r.Verdict\n"},
		{"explore.go", "result = s.guard(n, result)\n", "result = s.guard(n, result)\n" + fmt.Sprintf(passes, "result")},
		{"worker.go", "if r.Do == wire.List {", "if leftOut != \"\" && leftOutRequests[r.Do] == leftOut {\nreturn refused(\"left out\")\n}\nif r.Do == wire.List {"},
		{"worker.go", "if err := w.answers.Encode(a); ", "if leftOut != \"\" && leftOutAnswers[a.Kind] == leftOut {\nif a.Kind == wire.Progress {\nreturn\n}\na = wire.Answer{Kind: \"left out\"}\n}\nif err := w.answers.Encode(a); "},
	} {
		err := s.edit("worker/"+e.file, func(text string) string { return strings.Replace(text, e.anchor, e.text, 1) })
		if err != nil {
			return err
		}
	}
	return nil
}
