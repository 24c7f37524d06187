package regress

import (
	"bytes"
	"fmt"
	"go/build/constraint"
	"go/format"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/rouse-go/rouse/chaos/recording"
)

// A Test holds the parts of a regression test.
type Test struct {
	Package string // package clause of its file
	Name    string // of the function
	Of      string // what failed, such as "TestQueue", "TestQueue/empty" or "the scenario full"
	File    string // the recording, with slashes, relative to the folder of the package
	// Program is the import path of the program that repeats the recording of a scenario.
	Program string
	// Install is the command that installs stress.
	Install string
	// Only is the build constraint of the file that declares the test that failed; nil is none.
	Only constraint.Expr

	recording *recording.Recording
}

// Source returns the formatted file. It has no dependencies except package chaos, if the test that failed also
// depends on it.
func (t *Test) Source(rec *recording.Recording) ([]byte, error) {
	t.recording = rec
	text := unmodified
	switch rec.Origin() {
	case recording.OfExploration:
		text = explored
	case recording.OfScenario:
		text = scenario
	}
	var b bytes.Buffer
	if err := template.Must(template.New("").Funcs(writers).Parse(text)).Execute(&b, t); err != nil {
		return nil, err
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the test that was written does not compile: %w", err)
	}
	return source, nil
}

// Failure returns the verdict and the summary.
func (t *Test) Failure() string {
	return fmt.Sprintf("%s: %s", t.recording.Verdict, t.recording.Summary)
}

// Decisions describes the schedule of the recording.
func (t *Test) Decisions() string {
	switch n := len(t.recording.Entries); n {
	case 0:
		return "by the default schedule"
	case 1:
		return "by a schedule of 1 decision"
	default:
		return fmt.Sprintf("by a schedule of %d decisions", n)
	}
}

// constraint returns the line of the build constraint, or "": the tags of the test that failed, and those that are
// needed to repeat its recording.
func (t *Test) constraint() string {
	var tags []string
	switch t.recording.Origin() {
	case recording.OfStressTest: // it does not run on each system
		if system := t.recording.System(); system != "" {
			tags = append(tags, system)
		}
	case recording.OfExploration:
		tags = append(tags, "chaos")
		if t.recording.Race() {
			tags = append(tags, "race")
		}
	}
	all := t.Only
	for _, tag := range slices.Backward(tags) {
		var one constraint.Expr = &constraint.TagExpr{Tag: tag}
		switch {
		case all == nil:
			all = one
		case all.String() != tag:
			all = &constraint.AndExpr{X: one, Y: all}
		}
	}
	if all == nil {
		return ""
	}
	return "//go:build " + all.String() + "\n\n"
}

// Function returns the top-level function of the test that failed.
func (t *Test) Function() string {
	name, _, _ := strings.Cut(t.Of, "/")
	return strings.TrimSuffix(name, recording.SecondTest)
}

// Command returns the command that repeats the recording of a scenario.
func (t *Test) Command() []string {
	words := append([]string{"go", "run"}, t.recording.BuildFlags()...)
	for i, w := range words {
		if w == "-cpu" { // of go test
			words = append(words[:i], words[i+2:]...)
			break
		}
	}
	return append(words, t.Program, "replay", "--regression")
}

// writers write the values of a template. Each value goes through one, because a recording may come from anybody.
var writers = template.FuncMap{
	"identifier": identifier,
	"comment":    comment,
	"quote":      strconv.Quote,
	"arguments":  arguments,
	"constraint": (*Test).constraint,
}

// identifier writes a name unchanged, and refuses one that is no identifier.
func identifier(name string) (string, error) {
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("%q is no identifier", name)
	}
	return name, nil
}

// comment writes a text for a line comment: with single spaces, and with unprintable characters escaped.
func comment(text string) string {
	quoted := strconv.Quote(strings.Join(strings.Fields(text), " "))
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}

// arguments writes words as arguments of a call, each followed by a comma.
func arguments(words []string) string {
	quoted := ""
	for _, w := range words {
		quoted += strconv.Quote(w) + ", "
	}
	return quoted
}

const head = `
// {{identifier .Name}} repeats a failure of {{comment .Of}}, {{comment .Decisions}}:
//
//	{{comment .Failure}}
//
// It passes once {{comment .Of}} does not fail by that schedule, and logs what no longer applies of it.
`

const explored = `{{constraint .}}package {{identifier .Package}}

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
)
` + head + `func {{identifier .Name}}(t *testing.T) {
	chaos.ReplayTest(t, {{quote .File}}, {{identifier .Function}})
}
`

const unmodified = `{{constraint .}}package {{identifier .Package}}

import (
	"os"
	"os/exec"
	"testing"
)
` + head + `// It needs stress on PATH. Without it, it is skipped, but fails where $CI is set.
func {{identifier .Name}}(t *testing.T) {
	const recording = {{quote .File}}
	if _, err := os.Stat(recording); err != nil { // go test runs it again when the file changes
		t.Fatal(err)
	}
	var tb testing.TB = t
	if _, ok := tb.(interface{ RouseControl() map[string]interface{} }); ok {
		t.Skip({{printf "under stress test, which repeats the recording when it runs %s" .Of | quote}})
	}
	stress, err := exec.LookPath("stress")
	if err != nil {
		const missing = {{printf "the failure of %s is not repeated, since stress is not on PATH: %s" .Of .Install | quote}}
		if os.Getenv("CI") == "" {
			t.Skip(missing)
		}
		t.Fatal(missing)
	}
	out, err := exec.Command(stress, "replay", "--regression", recording).CombinedOutput()
	if err != nil {
		t.Fatalf("stress replay: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}
`

const scenario = `package {{identifier .Package}}

import (
	"os"
	"os/exec"
	"testing"
)
` + head + `func {{identifier .Name}}(t *testing.T) {
	const recording = {{quote .File}}
	if _, err := os.Stat(recording); err != nil { // go test runs it again when the file changes
		t.Fatal(err)
	}
	out, err := exec.Command({{arguments .Command}}recording).CombinedOutput()
	if err != nil {
		t.Fatalf("replay: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}
`
