//go:build chaos

package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/stress/subject"
)

func toySubject(name string) subject.Subject {
	return subject.Target[int]{
		Name: name, Packages: []string{"sleep"},
		New: func(*subject.Execution) int { return 0 },
		Workloads: []subject.Work[int]{
			{Name: "sized", About: "x", Params: []subject.Param{subject.Count{Name: "items", Default: 2, Most: 9}, subject.Count{Name: "pause", Default: 1, Most: 3, Zero: true}}, Run: func(*subject.Execution, int) {}},
			{Name: "plain", About: "x", Run: func(*subject.Execution, int) {}},
		},
	}.Subject()
}

// TestSchemaOfAnotherSubject: the loader and the schema of a subject that is not the pool agree.
func TestSchemaOfAnotherSubject(t *testing.T) {
	of := toySubject("toy")
	text, err := Schema(of)
	if err != nil {
		t.Fatal(err)
	}
	schema := compileSchema(t, json.RawMessage(text))
	const good = "version: 1\nscenarios:\n  - {name: s, about: x, workload: sized, sizes: {items: 9, pause: 0}, plan: [{at: sleep/registered, fault: yield}], expect: pass}\n"
	for _, c := range []struct {
		old, new string
		taken    bool
	}{
		{"", "", true},
		{"about", "subject: toy, about", true},
		{"about", "subject: pool, about", false},
		{"about", "mode: control, strategy: pos, about", true},
		{"about", "strategy: pos, about", false},
		{"about", "pool: {workers: [1]}, about", false},
		{"about", "except: [{variant: tickle, expect: pass, why: x}], about", false},
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
		_, err := Load("f.yaml", []byte(text), of)
		doc, _ := decoded(text)
		if refused := schema.Validate(doc); (err == nil) != c.taken || (refused == nil) != c.taken {
			t.Errorf("%s: the loader says %v, the schema %v, want it taken: %v", text, err, refused, c.taken)
		}
	}
}

// TestSchemaOfSeveralSubjects: the loader and the schema of files about several subjects agree on whose a scenario is.
func TestSchemaOfSeveralSubjects(t *testing.T) {
	subjects := []subject.Subject{toySubject("toy"), poolSubject(), toySubject("other")}
	text, err := Schema(subjects...)
	if err != nil {
		t.Fatal(err)
	}
	schema := compileSchema(t, json.RawMessage(text))
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
		{"subject: toy, pool: {workers: [1]}, workload: sized, expect: pass", false},
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
}

// TestRefusedKeys: a key that a scenario of that subject cannot have is an error that says why.
func TestRefusedKeys(t *testing.T) {
	subjects := []subject.Subject{toySubject("toy"), poolSubject()}
	for scenario, want := range map[string]string{
		"subject: toy, pool: {workers: [1]}, workload: plain":                     "f.yaml:3:39: pool: found it in a scenario of toy, want no parameters of another subject",
		"workload: plain, except: [{variant: rfc5, expect: leak, why: x}]":        "f.yaml:3:42: except: found it in a scenario of toy, which has no variants",
		"workload: plain, sizes: {items: 1}":                                      "f.yaml:3:42: sizes: found it, but the workload plain has none",
		"pool: {workers: [1]}, workload: plain":                                   `f.yaml:3:57: unknown workload "plain"; want one of`,
		"subject: nobody, workload: plain":                                        `f.yaml:3:34: unknown subject "nobody"; want one of toy, pool`,
		"workload: plain, plan: [{at: pool/inject-pushed, fault: yield}]":         `f.yaml:3:54: at: found "pool/inject-pushed", want one of the`,
		"pool: {workers: [1], variant: rfc5}, workload: join, except: []":         "f.yaml:3:78: except: found it in a scenario that is about one variant, want none there",
		"pool: {workers: [1]}, workload: join, plan: [{at: pool/x, fault: drop}]": `f.yaml:3:75: at: found "pool/x", want one of the`,
	} {
		text := "version: 1\nscenarios:\n  - {name: s, about: x, " + scenario + ", expect: pass}\n"
		if _, err := Load("f.yaml", []byte(text), subjects...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", scenario, err, want)
		}
	}
}
