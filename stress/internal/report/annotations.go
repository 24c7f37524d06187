package report

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/scenario"
)

// Annotations is an Observer that annotates failures in GitHub Actions when the campaign has
// ended: it writes at most ten workflow commands to Out, as many as GitHub shows for one step.
type Annotations struct {
	Out io.Writer
	// File is the file of the scenarios, if there is one. An annotation points at its
	// scenario's line there.
	File string
	// Command holds the words that start this program.
	Command []string

	err error
}

// mostAnnotations is how many annotations GitHub shows for a step.
const mostAnnotations = 10

// Err returns the first write error.
func (a *Annotations) Err() error { return a.err }

// Began does nothing, as do Progressed and ScenarioDone.
func (a *Annotations) Began(Campaign) {}

// Progressed does nothing.
func (a *Annotations) Progressed(Progress) {}

// ScenarioDone does nothing.
func (a *Annotations) ScenarioDone(ScenarioReport) {}

// Ended writes an annotation for each scenario that failed. If there are too many, the last
// counts the others.
func (a *Annotations) Ended(r Report) {
	lines, _ := scenario.ReadInput(a.File, scenario.MaxInput) //nolint:errcheck // then it has no lines
	failed, written := r.Failed(), 0
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		switch {
		case !s.Failed():
			continue
		case written == mostAnnotations-1 && failed > mostAnnotations:
			a.write("::error title=%s::%s\n", property(fmt.Sprintf("%d more scenarios", failed-written)), data("not as expected either: see the summary or the report"))
			return
		}
		written++
		where := ""
		if a.File != "" {
			where = "file=" + property(a.File) + ","
			if n := lineOfScenario(string(lines), s.Name); n > 0 {
				where += fmt.Sprintf("line=%d,", n)
			}
		}
		text := append([]string{s.problem()}, s.details(a.Command)...)
		a.write("::error %stitle=%s::%s\n", where, property(scenario.Title(s.Name, s.Variant)), data(strings.Join(text, "\n")))
	}
}

func (a *Annotations) write(format string, args ...any) {
	if a.err == nil {
		_, a.err = fmt.Fprintf(a.Out, format, args...)
	}
}

// lineOfScenario returns the line with the scenario's name, or 0 if there is none.
func lineOfScenario(text, name string) int {
	at := regexp.MustCompile(`(?m)^[ \t]*(?:-[ \t]+)?name:[ \t]*["']?` + regexp.QuoteMeta(name) + `["']?[ \t]*(?:#.*)?$`).FindStringIndex(text)
	if at == nil {
		return 0
	}
	return 1 + strings.Count(text[:at[0]], "\n")
}

// data escapes the message of a workflow command, and property a value before it. GitHub shows
// other unprintable characters as they are.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\n", "%0A").Replace(plain.Text(text))
}

func property(text string) string {
	return strings.NewReplacer("%", "%25", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(plain.Text(text))
}

// mostSummary is the maximum size of a step's summary in GitHub, in bytes.
const mostSummary = 1 << 20

// AppendSummary appends a report in Markdown to a file, such as the one that GitHub Actions has
// for the summary of a step. A text that is too long for GitHub is cut at a line.
func AppendSummary(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("%s: %s", path, scenario.Reason(err))
	}
	if _, err = f.Write(clipLines(text, mostSummary)); err != nil {
		err = fmt.Errorf("%s: %s", path, scenario.Reason(err))
	}
	if e := f.Close(); err == nil && e != nil {
		err = fmt.Errorf("%s: %s", path, scenario.Reason(e))
	}
	return err
}

const cutOff = "\n... the rest is in the report.\n"

// clipLines returns as many lines as fit into most bytes.
func clipLines(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	head := string(text[:most-len(cutOff)])
	return []byte(head[:strings.LastIndexByte(head, '\n')+1] + cutOff)
}
