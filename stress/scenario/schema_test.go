package scenario

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rouse-go/rouse"
	"github.com/rouse-go/rouse/hooks"
)

// testPoints are those of testCatalogue.
func testPoints() []PointInfo {
	return []PointInfo{
		{Name: "test/count", Offers: hooks.Disturbs | hooks.Rolls},
		{Name: "test/notify", Offers: hooks.Disturbs | hooks.Drops},
		{Name: "test/passed", Offers: hooks.Disturbs},
	}
}

func compileSchema(t *testing.T, schema any) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	id := doc.(map[string]any)["$id"].(string)
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// decoded is the document as an editor has it: anchors and merges are resolved. ok is
// false if it is no YAML.
func decoded(text string) (doc any, ok bool) {
	err := yaml.Unmarshal([]byte(text), &doc)
	return doc, err == nil
}

// onlyLoadKnows are the bad inputs that the schema takes.
var onlyLoadKnows = []string{
	"two documents", "duplicate name", "about has a tag", "nothing can happen", "nothing to reach", "strategy's parameter",
	"nothing to reach under control", "too many workers", "too few for the workload", "too many for the workload", "jec-bits with workers", "workers with jec-bits", "widths", "widths by default", "initial-jec", "initial-jec negative",
	"pause zero", "pause too long", "pauses too long", "jobs too many together", "jobs too many for the workers", "join too much",
	"except, two verdicts", "without what is not there", "except, without a plan", "absent, without a plan",
	"range", "delay of nothing", "delay too long", "roll by too much", "hold too long", "too many faults of few",
}

// TestSchemaRefuses: what the schema takes of the bad inputs is known, so that it is not
// more tomorrow.
func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t, fileSchema(testCatalogue(), testPoints()))
	var takes []string
	for _, c := range badInputs {
		if doc, ok := decoded(c.text); ok && schema.Validate(doc) == nil {
			takes = append(takes, c.name)
		}
	}
	if !reflect.DeepEqual(takes, onlyLoadKnows) {
		t.Errorf("of the bad inputs the schema takes\n%q\nwant\n%q", takes, onlyLoadKnows)
	}
}

// TestSchemaTakes: the loader and the schema agree on these.
func TestSchemaTakes(t *testing.T) {
	schema := compileSchema(t, fileSchema(testCatalogue(), testPoints()))
	for _, change := range []string{
		"expect: pass", "plan: [{at: test/passed, fault: delay, for: 1ms}]", "plan: [{at: test/passed, fault: delay, for: 1ms ..  1s500ms, probability: 1e-3}]",
		"plan: [{at: test/passed, fault: hold, until: test/notify}]", "plan: [{at: test/count, fault: roll, to: 0x10}]",
		"plan: [{at: test/count, fault: roll, to: 18446744073709551615}]", "plan: [{at: test/count, fault: roll, by: -9223372036854775808}]",
		"plan: [{at: test/passed, fault: delay, for: .5ms..1s, shape: pareto, mean: 1.5ms}]", "sizes: {pause: 1h0.}", "sizes: {jobs: 1, pause: 1.s}",
		"plan: [{at: test/passed, fault: delay, for: 2us, shape: uniform}]", "may: [leak, deadlock]", "mode: control", "mode: native",
		"pool: {workers: [1], jec-bits: 3, initial-jec: 7, deque-capacity: 4096}", "pool: {workers: [1], max-injected: 100000}",
		"except: [{variant: [tickle, rfc5], without: [test/notify], why: x}]", "pool: {<<: {workers: [3]}, rounds: 0}",
	} {
		text := head + scenarioText(change)
		_, err := load("f.yaml", []byte(text), testCatalogue())
		doc, _ := decoded(text)
		if refused := schema.Validate(doc); (err == nil) != (refused == nil) {
			t.Errorf("%s: the loader says %v, the schema %v", change, err, refused)
		}
	}
}

// TestSchemaDescribesEveryKey: editors show what a key is.
func TestSchemaDescribesEveryKey(t *testing.T) {
	for name, def := range fileSchema(testCatalogue(), testPoints())["$defs"].(object) {
		keys, _ := def.(object)["properties"].(object)
		for key, schema := range keys {
			if text, _ := schema.(object)["description"].(string); text == "" {
				t.Errorf("%s: %s says nothing", name, key)
			}
		}
	}
}

// TestSchemaOfEncoded: what this package writes.
func TestSchemaOfEncoded(t *testing.T) {
	schema := compileSchema(t, fileSchema(testCatalogue(), testPoints()))
	scenarios, err := load("f.yaml", []byte(head+scenarioText()+scenarioText("name: b", "group: g", "mode: control", "strategy: pct(3)")), testCatalogue())
	if err != nil {
		t.Fatal(err)
	}
	doc, _ := decoded(string(Encode(scenarios)))
	if err := schema.Validate(doc); err != nil {
		t.Error(err)
	}
}

// TestEditorsFindTheSchema: the default campaign names it, in the form that editors know.
func TestEditorsFindTheSchema(t *testing.T) {
	if !strings.HasPrefix(string(rouse.Scenarios), "# yaml-language-server: $schema=stress/scenarios.schema.json\n") {
		t.Error("scenarios.yaml does not begin with the line that names its schema")
	}
}
