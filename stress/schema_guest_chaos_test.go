//go:build chaos

package stress

import (
	"encoding/json"
	"strings"
	"testing"
)

func schemaGuest(name string) Subject {
	return Target[int]{
		Name: name, Packages: []string{"sleep"},
		New: func(*Execution) int { return 0 },
		Workloads: []Work[int]{
			{Name: "sized", About: "x", Params: []Param{Count{Name: "items", Default: 2, Most: 9}, Count{Name: "pause", Default: 1, Most: 3, Zero: true}}, Run: func(*Execution, int) {}},
			{Name: "plain", About: "x", Run: func(*Execution, int) {}},
		},
	}.Subject()
}

// TestSchemaOfAnotherSubject: the loader and the schema of a subject that is not the pool agree.
func TestSchemaOfAnotherSubject(t *testing.T) {
	subject := schemaGuest("guest")
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

// TestSchemaOfSeveralSubjects: the loader and the schema of files about several subjects agree on whose a scenario is.
func TestSchemaOfSeveralSubjects(t *testing.T) {
	subjects := []Subject{schemaGuest("guest"), Pool(), schemaGuest("other")}
	text, err := SchemaOf(subjects...)
	if err != nil {
		t.Fatal(err)
	}
	schema := compileSchema(t, json.RawMessage(strings.Replace(string(text), "urn:rouse:scenarios:guest:pool:other", SchemaID, 1)))
	for _, c := range []struct {
		scenario string
		taken    bool
	}{
		{"workload: sized, sizes: {items: 9}, expect: pass", true},
		{"workload: sized, sizes: {items: 10}, expect: pass", false},
		{"workload: sized, sizes: {jobs: 1}, expect: pass", false},
		{"workload: inject, expect: pass", false},
		{"pool: {workers: [1]}, workload: inject, sizes: {jobs: 1}, expect: pass", true},
		{"pool: {workers: [1]}, workload: inject, sizes: {items: 1}, expect: pass", false},
		{"pool: {workers: [1]}, workload: sized, expect: pass", false},
		{"subject: pool, pool: {workers: [1]}, workload: inject, expect: pass", true},
		{"subject: pool, workload: inject, expect: pass", false},
		{"subject: guest, pool: {workers: [1]}, workload: sized, expect: pass", false},
		{"subject: other, workload: sized, sizes: {items: 1}, expect: pass", true},
		{"subject: another, workload: sized, expect: pass", false},
		{"subject: other, workload: sized, plan: [{at: pool/inject-pushed, fault: yield}], expect: pass", false},
		{"subject: pool, pool: {workers: [1]}, workload: inject, plan: [{at: pool/inject-pushed, fault: yield}], expect: pass", true},
		{"base: first, sizes: {items: 3}", true},
		{"base: first, expect: lost", false},
	} {
		text := "version: 1\nscenarios:\n  - {name: first, about: x, workload: sized, expect: pass}\n  - {name: s, about: x, " + c.scenario + "}\n"
		_, err := Load("f.yaml", []byte(text), subjects...)
		doc, _ := decoded(text)
		if refused := schema.Validate(doc); (err == nil) != c.taken || (refused == nil) != c.taken {
			t.Errorf("%s: the loader says %v, the schema %v, want it taken: %v", c.scenario, err, refused, c.taken)
		}
	}
	if one, err := SchemaOf(subjects[1]); err != nil || string(one) != string(must(Schema())) {
		t.Errorf("that of one subject is not its own: %v", err)
	}
}
