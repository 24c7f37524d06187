package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/subject"
)

// Schema returns the JSON Schema (draft 2020-12) of scenario files about these subjects, for
// editors: the names of points, faults, workloads, variants, strategies and verdicts are
// those of this binary, each point with the faults that it offers. Load validates files against
// it and refuses what it refuses. Only rules that involve several values, or uniqueness in a file,
// are checked by Load alone. In a binary built without the chaos tag it returns ErrNotChaos.
func Schema(subjects ...subject.Subject) ([]byte, error) {
	cat, err := installedCatalogue(subjects...)
	if err != nil {
		return nil, err
	}
	return encodeSchema(fileSchema(cat, PointsOf(subjects))), nil
}

// PointsOf lists the hook points of the subjects.
func PointsOf(subjects []subject.Subject) (all []PointInfo) {
	for _, p := range Points() {
		if slices.ContainsFunc(subjects, func(s subject.Subject) bool { return s.Owns(p.Name) }) {
			all = append(all, p)
		}
	}
	return all
}

// encodeSchema returns the text of the schema file.
func encodeSchema(schema object) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(schema); err != nil {
		panic(err) // maps, slices and texts can be encoded
	}
	return b.Bytes()
}

// An object is JSON; its keys are encoded in alphabetical order.
type object = map[string]any

// with returns the schema with more keys.
func with(schema, more object) object {
	all := maps.Clone(schema)
	maps.Copy(all, more)
	return all
}

func described(schema object, text string) object { return with(schema, object{"description": text}) }

func definition(name string) object { return object{"$ref": "#/$defs/" + name} }

// wanting adds what is wanted instead of a value that the schema refuses, for editors and errors.
func wanting(schema object, text string) object {
	return with(schema, object{"errorMessage": "want " + text})
}

// refused returns the schema of a key that must not be present, with the reason.
func refused(why string) object { return object{"not": object{}, "errorMessage": why} }

// oneOf returns the schema of a name in a list. abouts holds the descriptions of the names for editors, or is nil.
func oneOf(names []string, abouts map[string]string) object {
	s := object{"enum": names}
	if abouts != nil {
		var texts []string
		for _, n := range names {
			texts = append(texts, abouts[n])
		}
		s["enumDescriptions"] = texts
	}
	return s
}

func whole(low, high int) object { return object{"type": "integer", "minimum": low, "maximum": high} }

// saying returns the schema of a text that is not blank.
func saying(what string) object {
	return object{"type": "string", "pattern": `\S`, "patternErrorMessage": "want " + what}
}

func list(of object, least, most int) object {
	s := object{"type": "array", "items": of}
	if least > 0 {
		s["minItems"] = least
	}
	if most > 0 {
		s["maxItems"] = most
	}
	return s
}

// either returns the schema of one value or a list of at most the given number of different values; 0 is no bound.
func either(of object, most int) object {
	return object{"if": object{"type": "array"}, "then": with(list(of, 1, most), object{"uniqueItems": true}), "else": of}
}

// mapping returns the schema of an object with these keys and no others.
func mapping(keys object, required ...string) object {
	s := object{"type": "object", "properties": keys, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// onlyIf returns the rule that then applies if the key has one of these values.
func onlyIf(key string, values []string, then object) object {
	return object{
		"if":   object{"properties": object{key: object{"enum": values}}, "required": []string{key}},
		"then": then,
	}
}

// durationPattern matches the durations of time.ParseDuration that are not negative.
const durationPattern = `\+?(0|([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*)`

func durationSchema() object {
	return object{"type": "string", "pattern": "^" + durationPattern + "$", "examples": []string{"200us", "1.5ms"},
		"errorMessage": "want a duration that is not negative, such as 200us, 1.5ms or 1m"}
}

// fileSchema returns the schema of files about the subjects of the catalogue. Without points it accepts any
// fault, for Load, which leaves these to plan.ReadFaults.
func fileSchema(cat *catalogue, points []PointInfo) object {
	names := cat.points
	windows := map[string]string{}
	if points != nil {
		names = nil
	}
	for _, p := range points {
		names, windows[p.Name] = append(names, p.Name), p.Window
	}
	var workloads, variants []string
	workloadAbouts, variantAbouts := map[string]string{}, map[string]string{}
	for _, s := range cat.subjects {
		for _, w := range s.Workloads {
			workloads, workloadAbouts[w.Name] = append(workloads, w.Name), w.About
		}
		for _, v := range s.Variants {
			variants, variantAbouts[v.Name] = append(variants, v.Name), v.About
		}
	}
	defs := object{
		"name": object{"type": "string", "pattern": subject.Hyphened.String(), "maxLength": 64,
			"patternErrorMessage": "want lower-case words joined by hyphens, at most 64 characters"},
		"point":   with(oneOf(names, windows), object{"title": "hook point"}),
		"verdict": object{"enum": verdictNames(), "title": "verdict"},
		"failure": object{"allOf": []object{definition("verdict"), wanting(object{"not": object{"const": string(verdict.Pass)}},
			"another verdict; with expect: pass and this one it comes to the same")}},
		"duration": durationSchema(),
		"workload": oneOf(workloads, workloadAbouts),
		"strategy": strategySchema(),
		"fault":    object{},
		"scenario": scenarioSchema(cat, points != nil),
	}
	if points != nil {
		defs["fault"] = faultSchema(points)
	}
	keys := object{
		"version":   described(object{"const": FileVersion}, "The version of this form."),
		"extends":   described(wanting(object{"const": extendsDefault}, extendsDefault+": the campaign in the binary"), "The campaign in the binary, whose scenarios come first; one of the same name replaces its own."),
		"remove":    described(either(definition("name"), 0), "Scenarios of that campaign that are left out."),
		"scenarios": described(list(definition("scenario"), 1, 0), "What is done to the subject, what is to go wrong meanwhile, and the verdict that is expected."),
	}
	if len(variants) > 0 {
		defs["variant"] = oneOf(variants, variantAbouts)
		defs["exception"] = with(mapping(object{
			variantKey: described(either(definition("variant"), 0), "The variants that it is about."),
			"without":  described(either(definition("point"), 0), "Points of the plan that they do not pass: the faults there are left out."),
			"expect":   described(definition("verdict"), "The verdict with them. Absent: as otherwise, but pass if a fault is left out."),
			"may":      described(either(definition("failure"), 0), "Verdicts as good: chance decides."),
			"why":      described(saying("the reason"), "The reason."),
		}, variantKey, "why"), object{"anyOf": []object{{"required": []string{"without"}}, {"required": []string{"expect"}}, {"required": []string{"may"}}}})
		defs["absence"] = mapping(object{
			variantKey: described(either(definition("variant"), 0), "The variants that it is about."),
			"points":   described(either(definition("point"), 0), "Points that they do not pass: faults there are left out of every scenario."),
			"why":      described(saying("the reason"), "The reason."),
		}, variantKey, "points", "why")
		keys["absent"] = described(list(definition("absence"), 0, 0), "Hook points that variants do not pass.")
	}
	return with(mapping(keys, "version"), object{
		"anyOf":             []object{{"required": []string{"scenarios"}}, {"required": []string{"extends"}}},
		"dependentRequired": object{"remove": []string{"extends"}},

		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id":     "urn:rouse:scenarios:" + strings.Join(cat.subjectNames(), ":"),
		"title":   "Scenarios of " + nearest.Enumerate(cat.subjectNames()) + ", for rouse's stress",
		"$defs":   defs,
	})
}

// strategySchema returns the schema of the strategies that strategy.Parse takes: a name, or one with a number.
func strategySchema() object {
	var plain, numbered []string
	for _, name := range strategy.Names() {
		if base, ok := strings.CutSuffix(name, "(N)"); ok {
			numbered = append(numbered, regexp.QuoteMeta(base))
		} else {
			plain = append(plain, name)
		}
	}
	return object{"type": "string", "anyOf": []object{
		{"enum": plain},
		{"type": "string", "pattern": `^(` + strings.Join(numbered, "|") + `)\((0|[1-9][0-9]*)\)$`},
	}}
}

// paramSchema returns the schema of a parameter's value. Only Load knows the bounds of durations, and which
// whole numbers a Text takes.
func paramSchema(p subject.Param) object {
	var schema object
	switch p := p.(type) {
	case subject.Count:
		if schema = whole(p.Least(), p.Most); len(p.Of) > 0 {
			schema = object{"enum": p.Of}
		} else if p.Why != "" {
			schema = wanting(schema, fmt.Sprintf("a whole number from %d to %d: %s", p.Least(), p.Most, p.Why))
		}
	case subject.Span:
		schema = definition("duration")
	case subject.Choice:
		schema = with(oneOf(p.Of, nil), object{"title": "choice of " + p.Name})
	case subject.Switch:
		schema = object{"type": "boolean"}
	case subject.Text:
		schema = object{"anyOf": []object{{"type": "integer"}, {"type": "string", "pattern": "^(" + p.Pattern + ")$"}}}
	}
	switch {
	case subject.IsList(p) && subject.Optional(p):
		schema = either(schema, maxElements)
	case subject.IsList(p):
		schema = list(schema, 1, maxElements)
	}
	return described(schema, cmp.Or(subject.About(p), subject.Label(p)))
}

func paramsSchema(params []subject.Param) object {
	keys := object{}
	for _, p := range params {
		keys[subject.Label(p)] = paramSchema(p)
	}
	return mapping(keys)
}

// setupSchema returns the schema of a subject's parameters and variant.
func setupSchema(s *subject.Subject) object {
	schema := paramsSchema(s.Params)
	if len(s.Variants) > 0 {
		keys := schema["properties"].(object)
		keys[variantKey] = described(object{"enum": s.VariantNames()}, "The variant that the scenario is about. Absent: the default, or what run --variant says.")
	}
	return schema
}

func scenarioSchema(cat *catalogue, faults bool) object {
	based := object{"required": []string{"base"}}
	native := object{"not": object{"properties": object{"mode": object{"const": Control.String()}}, "required": []string{"mode"}}}
	controlOnly := object{}
	for _, key := range []string{"strategy", "max-steps", "clock"} {
		controlOnly[key] = refused("found it in a native scenario, where nobody chooses; want mode: control, or no " + key)
	}
	complete := object{"required": []string{"about", "workload", "expect"}, "if": native, "then": object{"properties": controlOnly}}
	rules := []object{{"if": object{"not": based}, "then": complete}}
	keys := object{
		"subject":    described(object{"enum": cat.subjectNames()}, "What it is about, where a program has several subjects."),
		"name":       described(definition("name"), "Lower-case words joined by hyphens; unique."),
		"base":       described(definition("name"), "Another scenario, of which this one has what it does not say itself; of mappings, key by key."),
		"group":      described(definition("name"), "What the scenario belongs to: run --group NAME runs all of a group."),
		"about":      described(saying("what the scenario shows"), "What the scenario shows: the window or the defect that it aims at."),
		"mode":       described(object{"enum": []string{Native.String(), Control.String()}}, "native: truly parallel, in real time. control: one task at a time, under one schedule after the other, in virtual time. Absent: native."),
		"strategy":   described(definition("strategy"), "Who chooses the schedules; with mode: control only. Absent: "+DefaultStrategy+"."),
		"max-steps":  described(whole(1, math.MaxInt32), "After how many decisions an execution is cut; with mode: control only."),
		"clock":      described(object{"enum": []string{control.Lazy.String(), control.Racy.String()}}, "When timers fire; with mode: control only. lazy: when nobody can go on. racy: at any step, so that timeouts hit running code. Absent: lazy."),
		"workload":   described(definition("workload"), "What is done to the subject."),
		"sizes":      described(object{"type": "object"}, "Parameters of the workload. Absent: its own defaults."),
		"plan":       described(list(definition("fault"), 0, plan.MaxFaults), "What goes wrong. Absent: nothing."),
		"expect":     described(definition("verdict"), "The verdict that is expected; another than pass makes the scenario a positive control."),
		"may":        described(either(definition("failure"), 0), "Verdicts as good as the expected one: chance decides."),
		"why":        described(saying("the reason"), "Why that is expected."),
		"executions": described(whole(1, math.MaxInt32), "Of one campaign, at most."),
		"share":      described(whole(1, mostShare), "Shares of the campaign's time, beside scenarios that get one."),
	}
	for i := range cat.subjects {
		s := &cat.subjects[i]
		keys[s.Name] = described(setupSchema(s), "How the "+s.Name+" is built.")
		if len(s.Variants) > 0 {
			keys["except"] = described(list(definition("exception"), 0, 0), "What is expected with other variants.")
		}
		rules = append(rules, object{"if": isOf(cat, i), "then": subjectSchema(cat, s, faults)})
	}
	var inheritable []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if key != "name" && key != "base" {
			inheritable = append(inheritable, key)
		}
	}
	keys["remove"] = described(either(object{"enum": inheritable}, 0), "Keys of the base that this one does not have.")
	return with(mapping(keys, "name"), object{"allOf": rules, "dependentRequired": object{"remove": []string{"base"}}})
}

// isOf returns the condition that a scenario is about subject number i: it names the subject, has its parameters,
// or names no subject and i is the first.
func isOf(cat *catalogue, i int) object {
	name := cat.subjects[i].Name
	says := object{"required": []string{"subject"}}
	any := []object{
		with(says, object{"properties": object{"subject": object{"const": name}}}),
		{"required": []string{name}, "not": says},
	}
	if i == 0 {
		other := []object{says, {"required": []string{"base"}}}
		for _, s := range cat.subjects {
			other = append(other, object{"required": []string{s.Name}})
		}
		any = append(any, object{"not": object{"anyOf": other}})
	}
	return object{"anyOf": any}
}

// subjectSchema returns the rules for scenarios about that subject.
func subjectSchema(cat *catalogue, s *subject.Subject, faults bool) object {
	keys := object{"workload": object{"enum": s.WorkloadNames()}}
	for _, other := range cat.subjects {
		if other.Name != s.Name {
			keys[other.Name] = refused(fmt.Sprintf("found it in a scenario of %s, want no parameters of another subject", s.Name))
		}
	}
	if faults && len(s.Packages) > 0 {
		point := object{"enum": cat.pointsOf(s)}
		keys["plan"] = object{"items": object{"properties": object{"at": either(point, 0), "until": point}}}
	}
	var need []string
	for _, p := range s.Params {
		if subject.Required(p) {
			need = append(need, subject.Label(p))
		}
	}
	var rules []object
	if len(need) > 0 {
		rules = append(rules, object{
			"if":   object{"not": object{"required": []string{"base"}}},
			"then": object{"required": []string{s.Name}, "properties": object{s.Name: object{"required": need}}},
		})
	}
	if len(s.Variants) == 0 {
		keys["except"] = refused(fmt.Sprintf("found it in a scenario of %s, which has no variants", s.Name))
	} else {
		keys["except"] = object{"items": object{"properties": object{variantKey: either(object{"enum": s.VariantNames()}, 0)}}}
		rules = append(rules, object{
			"if":   object{"properties": object{s.Name: object{"required": []string{variantKey}}}, "required": []string{s.Name}},
			"then": object{"properties": object{"except": refused("found it in a scenario that is about one variant, want none there")}},
		})
	}
	for _, w := range s.Workloads {
		sizes := any(paramsSchema(w.Params))
		if len(w.Params) == 0 {
			sizes = refused(fmt.Sprintf("found it, but the workload %s has none", w.Name))
		}
		rules = append(rules, onlyIf("workload", []string{w.Name}, object{"properties": object{"sizes": sizes}}))
	}
	return object{"properties": keys, "allOf": rules}
}

// faultSchema returns the schema of a fault, made of the keys that chaos/plan knows.
func faultSchema(points []PointInfo) object {
	properties, required := object{}, []string(nil)
	for _, k := range plan.Keys() {
		properties[k.Name] = described(formSchema(k.Form), k.About)
		if !slices.ContainsFunc(plan.Kinds(), func(kind hooks.FaultKind) bool { return k.Needed&kind == 0 }) {
			required = append(required, k.Name)
		}
	}
	rules := []object{
		onlyIf("shape", []string{plan.Exponential.String(), plan.Pareto.String()}, object{"required": []string{"mean"}}),
		{"if": object{"required": []string{"mean"}}, "then": object{"required": []string{"shape"}}},
		{"not": object{"required": []string{"by", "to"}}},
	}
	for _, kind := range plan.Kinds() {
		rules = append(rules, onlyIf("fault", []string{kind.String()}, kindSchema(kind)))
	}
	for _, offer := range offers(points) {
		var kinds []string
		for _, k := range offer.kinds.Kinds() {
			kinds = append(kinds, k.String())
		}
		among := object{"enum": offer.points}
		rules = append(rules, object{
			"if":   object{"properties": object{"at": object{"anyOf": []object{among, {"type": "array", "contains": among}}}}, "required": []string{"at"}},
			"then": object{"properties": object{"fault": object{"enum": kinds}}},
		})
	}
	return with(mapping(properties, required...), object{"allOf": rules})
}

// kindSchema returns which keys a fault of that kind must have, and must not have.
func kindSchema(kind hooks.FaultKind) object {
	properties, required := object{}, []string{}
	for _, k := range plan.Keys() {
		if k.Of&kind == 0 {
			properties[k.Name] = false
		}
		if k.Needed&kind != 0 {
			required = append(required, k.Name)
		}
	}
	return object{"properties": properties, "required": required}
}

// formSchema returns the schema of values for a fault's key.
func formSchema(form string) object {
	switch form {
	case "points":
		return either(definition("point"), 0)
	case "point":
		return definition("point")
	case "kind":
		return object{"enum": faultNames()}
	case "shape":
		return object{"enum": plan.ShapeNames()}
	case "name":
		return object{"type": "string", "minLength": 1}
	case "count":
		return whole(1, math.MaxInt32)
	case "integer":
		return object{"type": "integer", "not": object{"const": 0}}
	case "unsigned":
		return object{"type": "integer", "minimum": 0}
	case "fraction":
		return object{"anyOf": []object{{"type": "number", "exclusiveMinimum": 0, "maximum": 1}, {"type": "string", "pattern": `^[+]?[0-9.]+[eE][-+]?[0-9]+$`}}}
	case "duration":
		return definition("duration")
	case "durations":
		return object{"type": "string", "pattern": "^ *" + durationPattern + ` *(\.\. *` + durationPattern + " *)?$", "examples": []string{"1ms", "50us..2ms"}}
	}
	panic("stress: the key of a fault has the unknown form " + form)
}

// An offer lists the points that offer the same faults.
type offer struct {
	kinds  hooks.FaultKind
	points []string
}

func offers(points []PointInfo) (all []offer) {
	for _, p := range points {
		i := slices.IndexFunc(all, func(o offer) bool { return o.kinds == p.Offers })
		if i < 0 {
			i, all = len(all), append(all, offer{kinds: p.Offers})
		}
		all[i].points = append(all[i].points, p.Name)
	}
	return all
}
