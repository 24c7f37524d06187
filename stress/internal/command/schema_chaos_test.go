//go:build chaos

package command

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/stress/internal/golden"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
	"github.com/rouse-go/rouse/stress/subjects/burst"
	"github.com/rouse-go/rouse/stress/subjects/pool"
)

// subjects are those of cmd/stress.
var subjects = []subject.Subject{pool.Subject(), burst.Subject()}

const schemaFile = "../../scenarios.schema.json"

// TestSchemaFile: the schema in the repository is the one of this binary, whose points and
// workloads it names.
func TestSchemaFile(t *testing.T) {
	got, err := scenario.Schema(subjects...)
	if err != nil {
		t.Fatal(err)
	}
	if *golden.Update {
		if err := os.WriteFile(schemaFile, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is of another binary; go generate ./stress writes it", schemaFile)
	}
}

// TestSchemaTakesTheDefaultCampaign, and not what is wrong in it.
func TestSchemaTakesTheDefaultCampaign(t *testing.T) {
	text, err := scenario.Schema(subjects...)
	if err != nil {
		t.Fatal(err)
	}
	schema := compileSchema(t, text)
	check := func(text string) error {
		var doc any // as an editor has it: anchors and merges are resolved
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(doc)
	}
	campaign := string(rouse.Scenarios)
	if err := check(campaign); err != nil {
		t.Error(err)
	}
	for _, wrong := range []struct{ was, is string }{
		{"at: sleep/registered, fault: delay", "at: sleep/registerd, fault: delay"},
		{"at: sleep/registered, fault: delay", "at: sleep/registered, fault: drop"},
		{"at: sleep/registered, fault: delay, for: 50us..1ms", "at: sleep/registered, fault: delay"},
		{"workload: inject", "workload: injct"},
		{"strategy: pct(3)", "strategy: pct(three)"},
		{"variant: tickle,", "variant: tickel,"},
		{"expect: lost-wakeup", "expect: lost"},
		{"until: pool/inject-pushed", "until: pool/inject-push"},
		{"task: worker 0}", "tasks: worker 0}"},
		{"version: 1", "version: 2"},
	} {
		changed := strings.Replace(campaign, wrong.was, wrong.is, 1)
		if changed == campaign {
			t.Errorf("the campaign has no %q", wrong.was)
		} else if check(changed) == nil {
			t.Errorf("the schema takes %q", wrong.is)
		}
	}
}

func compileSchema(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(schemaFile, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
