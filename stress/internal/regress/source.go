package regress

import (
	"bytes"
	"fmt"
	"go/build/constraint"
	"go/format"
	"slices"
	"strings"
	"text/template"

	"github.com/rouse-go/rouse/chaos/recording"
)

// A Test is what a regression test is made from.
type Test struct {
	Package string // of its file: its clause
	Name    string // of the function
	Of      string // what failed, as "TestQueue", "TestQueue/empty" or "the scenario full"
	File    string // the recording, with slashes, relative to the folder of the package
	// Program is the import path of the program that repeats the recording of a scenario.
	Program string
	// Install is the command that installs stress.
	Install string
	// Only is the build constraint of the file that declares the test that failed; nil is none.
	Only constraint.Expr

	recording *recording.Recording
}

// Source returns the file: formatted, and without dependencies but for package chaos, where the test that
// failed has it as well.
func (t *Test) Source(rec *recording.Recording) ([]byte, error) {
	t.recording = rec
	text := unmodified
	switch {
	case rec.Kind == recording.Unmodified:
	case rec.Setup == "":
		text = explored
	default:
		text = scenario
	}
	var b bytes.Buffer
	if err := template.Must(template.New("").Parse(text)).Execute(&b, t); err != nil {
		return nil, err
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the test that was written does not compile: %w", err)
	}
	return source, nil
}

// Failure is the verdict and the summary, as the lines of a comment.
func (t *Test) Failure() string {
	line := fmt.Sprintf("%s: %s", t.recording.Verdict, t.recording.Summary)
	return "//\t" + strings.Join(strings.Fields(line), " ")
}

// Decisions is what the recording has.
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

// Constraint is the line of the build constraint, "" if there is none: what the test that failed needs, and
// what repeats its recording.
func (t *Test) Constraint() string {
	var tags []string
	switch {
	case t.recording.Kind == recording.Unmodified: // stress test does not run on each system
		if platform := strings.Fields(t.recording.Build); len(platform) > 1 {
			system, _, _ := strings.Cut(platform[1], "/")
			tags = append(tags, system)
		}
	case t.recording.Setup == "" && t.recording.Race():
		tags = append(tags, "chaos", "race")
	case t.recording.Setup == "":
		tags = append(tags, "chaos")
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

// Function is the one that the test that failed is below.
func (t *Test) Function() string {
	name, _, _ := strings.Cut(t.Of, "/")
	return strings.TrimSuffix(name, recording.SecondTest)
}

// Call is the command of a scenario's program, as the arguments of exec.CommandContext.
func (t *Test) Call() string {
	words := append([]string{"go", "run"}, t.recording.BuildFlags()...)
	for i, w := range words {
		if w == "-cpu" { // of go test
			words = append(words[:i], words[i+2:]...)
			break
		}
	}
	quoted := ""
	for _, w := range append(words, t.Program, "replay", "--regression") {
		quoted += fmt.Sprintf("%q, ", w)
	}
	return quoted
}

const head = `
// {{.Name}} repeats a failure of {{.Of}}, {{.Decisions}}:
//
{{.Failure}}
//
// It passes once {{.Of}} does not fail by that schedule, and logs what no longer applies of it.
`

const explored = `{{.Constraint}}package {{.Package}}

import (
	"testing"

	"github.com/rouse-go/rouse/chaos"
)
` + head + `func {{.Name}}(t *testing.T) {
	chaos.ReplayTest(t, {{printf "%q" .File}}, {{.Function}})
}
`

const unmodified = `{{.Constraint}}package {{.Package}}

import (
	"os"
	"os/exec"
	"testing"
)
` + head + `// It needs stress on PATH. Without it, it is skipped, but fails where $CI is set.
func {{.Name}}(t *testing.T) {
	const recording = {{printf "%q" .File}}
	if _, err := os.Stat(recording); err != nil { // go test runs it again when the file changes
		t.Fatal(err)
	}
	var tb testing.TB = t
	if _, ok := tb.(interface{ RouseControl() map[string]interface{} }); ok {
		t.Skip("under stress test, which repeats the recording when it runs {{.Of}}")
	}
	stress, err := exec.LookPath("stress")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("stress is not installed: {{.Install}}")
	} else if err != nil {
		t.Fatalf("%v: {{.Install}}", err)
	}
	out, err := exec.Command(stress, "replay", "--regression", recording).CombinedOutput()
	if err != nil {
		t.Fatalf("stress replay: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}
`

const scenario = `package {{.Package}}

import (
	"os"
	"os/exec"
	"testing"
)
` + head + `func {{.Name}}(t *testing.T) {
	const recording = {{printf "%q" .File}}
	if _, err := os.Stat(recording); err != nil { // go test runs it again when the file changes
		t.Fatal(err)
	}
	out, err := exec.Command({{.Call}}recording).CombinedOutput()
	if err != nil {
		t.Fatalf("replay: %v\n%s", err, out)
	}
	t.Logf("%s", out)
}
`
