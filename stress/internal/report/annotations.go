package report

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/scenario"
)

// mostAnnotations is how many annotations GitHub shows for a step.
const mostAnnotations = 10

// annotations holds the failures of a run for GitHub Actions.
type annotations struct {
	level      string // error or warning
	all        []annotation
	rest, hint string // how to call the others, and where they are, if there are too many
}

// An annotation is that of one failure.
type annotation struct {
	file         string // "" if it has no place
	line, column int    // 0 if not known
	title, text  string
}

// Annotations writes annotations of failures for GitHub Actions: at most ten workflow commands, as many as GitHub
// shows for one step. If there are more failures, the last counts the others.
func Annotations(r Result, p Page) []byte {
	var b bytes.Buffer
	a := r.annotations(p)
	if rest := len(a.all) - (mostAnnotations - 1); rest > 1 {
		a.all = append(a.all[:mostAnnotations-1], annotation{title: fmt.Sprintf("%d %s", rest, a.rest), text: a.hint})
	}
	for _, x := range a.all {
		where := ""
		if x.file != "" {
			where = "file=" + property(x.file) + ","
		}
		if x.line > 0 {
			where += fmt.Sprintf("line=%d,", x.line)
		}
		if x.column > 0 {
			where += fmt.Sprintf("col=%d,", x.column)
		}
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", a.level, where, property(x.title), data(x.text))
	}
	return b.Bytes()
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
