//go:build chaos

package stress

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSchemaOfAnotherSubject: the loader and the schema of a subject that is not the pool agree.
func TestSchemaOfAnotherSubject(t *testing.T) {
	subject := Target[int]{
		Name: "guest", Packages: []string{"sleep"},
		New: func(*Execution) int { return 0 },
		Workloads: []Work[int]{
			{Name: "sized", About: "x", Params: []Param{Count{Name: "items", Default: 2, Most: 9}, Count{Name: "pause", Default: 1, Most: 3, Zero: true}}, Run: func(*Execution, int) {}},
			{Name: "plain", About: "x", Run: func(*Execution, int) {}},
		},
	}.Subject()
	text, err := subject.Schema()
	if err != nil {
		t.Fatal(err)
	}
	schema := compileSchema(t, json.RawMessage(strings.Replace(string(text), "urn:rouse:scenarios:guest", SchemaID, 1)))
	const good = "version: 1\nscenarios:\n  - {name: s, about: x, workload: sized, sizes: {items: 9, pause: 0}, plan: [{at: sleep/registered, fault: yield}], expect: pass}\n"
	for _, c := range []struct {
		old, new string
		taken    bool
	}{
		{"", "", true},
		{"about", "subject: guest, about", true},
		{"about", "subject: pool, about", false},
		{"about", "mode: control, strategy: pos, about", true},
		{"about", "strategy: pos, about", false},
		{"about", "pool: {workers: [1]}, about", false},
		{"about", "except: [{sleep: tickle, expect: pass, why: x}], about", false},
		{"items: 9", "items: 10", false},
		{"items: 9", "items: 0", false},
		{"pause: 0", "pause: 4", false},
		{"items: 9", "jobs: 1", false},
		{"sized", "plain", false},
		{"sized, sizes: {items: 9, pause: 0}", "plain", true},
		{"sized", "inject", false},
		{"sleep/registered", "pool/inject-pushed", false},
		{"about: x, ", "", false},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		_, err := Load("f.yaml", []byte(text), subject)
		doc, _ := decoded(text)
		if refused := schema.Validate(doc); (err == nil) != c.taken || (refused == nil) != c.taken {
			t.Errorf("%s: the loader says %v, the schema %v, want it taken: %v", text, err, refused, c.taken)
		}
	}
}
