package stress

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/hooks"
	"github.com/rouse-go/rouse/sleep"
)

// SchemaID names the JSON Schema of scenario files. Nothing is fetched from there.
const SchemaID = "https://github.com/rouse-go/rouse/stress/scenarios.schema.json"

// Schema returns the JSON Schema (draft 2020-12) of the scenario files of the pool that this
// binary reads, for editors: the names of points, faults, workloads, strategies and verdicts are
// this binary's, each point with the faults that it offers. What it refuses, Load refuses.
// It says less than Load: what depends on several numbers, and what is to be unique,
// only Load knows. In a binary built without the chaos tag it returns ErrNotChaos.
func Schema() ([]byte, error) { return Pool().Schema() }

// Schema is the function Schema for scenario files whose scenarios are of this subject.
func (s Subject) Schema() ([]byte, error) { return SchemaOf(s) }

// schema is that of files whose scenarios are of this subject.
func (s Subject) schema() (object, error) {
	cat, err := installedCatalogue(s)
	if err != nil {
		return nil, err
	}
	mine := points(cat.subjects)
	if s.guest {
		cat.points = nil
		for _, p := range mine {
			cat.points = append(cat.points, p.Name)
		}
	}
	return fileSchema(cat, mine), nil
}

// encodeSchema is the schema as a file has it.
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

// with returns the schema with more in it.
func with(schema, more object) object {
	all := maps.Clone(schema)
	maps.Copy(all, more)
	return all
}

func described(schema object, text string) object { return with(schema, object{"description": text}) }

func definition(name string) object { return object{"$ref": "#/$defs/" + name} }

// oneOf is a name out of a list, abouts what editors say of each; nil if there is nothing to say.
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

func whole(low, high int64) object {
	s := object{"type": "integer"}
	if low != math.MinInt64 {
		s["minimum"] = low
	}
	if high != math.MaxInt64 {
		s["maximum"] = high
	}
	return s
}

// saying is a text with more than blanks in it.
func saying() object { return object{"type": "string", "pattern": `\S`} }

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

// either is one or a list of different ones.
func either(of object) object {
	return object{"anyOf": []object{of, with(list(of, 1, 0), object{"uniqueItems": true})}}
}

// mapping is an object with these keys and no others.
func mapping(keys object, required ...string) object {
	s := object{"type": "object", "properties": keys, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// onlyIf are the rules that if the key is one of these values, then.
func onlyIf(key string, values []string, then object) object {
	return object{
		"if":   object{"properties": object{key: object{"enum": values}}, "required": []string{key}},
		"then": then,
	}
}

// none says that no such key may be there.
func none(keys ...string) object {
	o := object{}
	for _, k := range keys {
		o[k] = false
	}
	return object{"properties": o}
}

// durationPattern is what time.ParseDuration takes that is not negative.
const durationPattern = `\+?(0|([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*)`

func durationSchema() object {
	return object{"type": "string", "pattern": "^" + durationPattern + "$", "examples": []string{"200us", "1.5ms"}}
}

func fileSchema(cat *catalogue, points []PointInfo) object {
	windows := map[string]string{}
	for _, p := range points {
		windows[p.Name] = p.Window
	}
	abouts := map[string]string{}
	for _, w := range cat.workloads {
		abouts[w.Name] = w.About
	}
	defs := object{
		"name":     object{"type": "string", "pattern": scenarioName.String(), "maxLength": 64},
		"point":    oneOf(cat.points, windows),
		"verdict":  object{"enum": verdictNames()},
		"failure":  object{"enum": slices.DeleteFunc(verdictNames(), func(v string) bool { return v == string(Pass) })},
		"variant":  oneOf(Strategies(), variantAbouts()),
		"workload": oneOf(cat.workloadNames(), abouts),
		"strategy": strategySchema(),
		"pool":     poolSchema(),
		"sizes":    sizesSchema(),
		"fault":    faultSchema(points),
		"scenario": scenarioSchema(cat),
		"exception": with(mapping(object{
			"sleep":   described(either(definition("variant")), "The strategies of sleep that it is about."),
			"without": described(either(definition("point")), "Points of the plan that they do not pass: the faults there are left out."),
			"expect":  described(definition("verdict"), "The verdict with them. Absent: as otherwise, but pass if a fault is left out."),
			"may":     described(either(definition("failure")), "Verdicts as good: chance decides."),
			"why":     described(saying(), "The reason."),
		}, "sleep", "why"), object{"anyOf": []object{{"required": []string{"without"}}, {"required": []string{"expect"}}, {"required": []string{"may"}}}}),
		"absence": mapping(object{
			"sleep":  described(either(definition("variant")), "The strategies of sleep that it is about."),
			"points": described(either(definition("point")), "Points that they do not pass: faults there are left out of every scenario."),
			"why":    described(saying(), "The reason."),
		}, "sleep", "points", "why"),
	}
	id, title := SchemaID, "Scenarios of rouse's stress"
	if cat.guest() {
		id, title = "urn:rouse:scenarios:"+cat.subject.Name, "Scenarios of "+cat.subject.Name+", for rouse's stress"
		defs["sizes"] = paramsSchema(cat.workloads)
		delete(defs, "pool")
		delete(defs, "exception")
	}
	return with(mapping(object{
		"version":   described(object{"const": FileVersion}, "The version of this form."),
		"extends":   described(object{"const": extendsDefault}, "The campaign in the binary, whose scenarios come first; one of the same name replaces its own."),
		"remove":    described(either(definition("name")), "Scenarios of that campaign that are left out."),
		"absent":    described(list(definition("absence"), 0, 0), "What strategies of sleep do not pass."),
		"scenarios": described(list(definition("scenario"), 1, 0), "What is done to the subject, what is to go wrong meanwhile, and the verdict that is expected."),
	}, "version"), object{
		"anyOf":             []object{{"required": []string{"scenarios"}}, {"required": []string{"extends"}}},
		"dependentRequired": object{"remove": []string{"extends"}},

		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$id":     id,
		"title":   title,
		"$defs":   defs,
	})
}

func variantAbouts() map[string]string {
	abouts := map[string]string{}
	for _, v := range sleep.Variants() {
		abouts[v.Name] = v.About
	}
	return abouts
}

// strategySchema is what strategy.Parse takes: a name, or one with a number.
func strategySchema() object {
	var plain, numbered []string
	for _, name := range strategy.Names() {
		if base, ok := strings.CutSuffix(name, "(N)"); ok {
			numbered = append(numbered, regexp.QuoteMeta(base))
		} else {
			plain = append(plain, name)
		}
	}
	return object{"anyOf": []object{
		{"enum": plain},
		{"type": "string", "pattern": `^(` + strings.Join(numbered, "|") + `)\((0|[1-9][0-9]*)\)$`},
	}}
}

func poolSchema() object {
	return mapping(object{
		"workers":        described(list(whole(1, maxWorkers), 1, maxPoolSizes), "Pool sizes to go through, by execution number."),
		"sleep":          described(definition("variant"), "The strategy of sleep that the scenario is about. Absent: the default, or what run --sleep says."),
		"jec-bits":       described(whole(1, 62), "Width of the jobs event counter. Absent: production width."),
		"thread-bits":    described(whole(1, 30), "Width of the two thread counters. Absent: production width."),
		"initial-jec":    described(object{"anyOf": []object{whole(0, math.MaxInt64), {"const": "max"}}}, "Where the counter starts; max is its last value before it wraps. Absent: 0."),
		"rounds":         described(whole(0, 1_000_000), "Searches in vain until a worker is sleepy. Absent: production value."),
		"deque-capacity": described(object{"enum": powersOfTwo(maxDeque)}, "Room of a deque before it grows, a power of two. Absent: production value."),
		"max-injected":   described(whole(1, maxInjected), "Jobs from outside that may wait for a worker, in each pool. Absent: any number."),
	})
}

func powersOfTwo(most int) (all []int) {
	for v := 1; v <= most; v *= 2 {
		all = append(all, v)
	}
	return all
}

func sizesSchema() object {
	return mapping(object{
		"jobs":      described(whole(1, int64(mostSizes.Jobs)), "Jobs of each injector, spawns of each scope."),
		"injectors": described(whole(1, int64(mostSizes.Injectors)), "Goroutines that post from outside."),
		"depth":     described(whole(1, int64(mostSizes.Depth)), "Depth of recursion or nesting."),
		"leaf":      described(whole(1, int64(mostSizes.Leaf)), "Elements that a leaf of a loop, or of a reduction, has at most."),
		"repeat":    described(whole(1, int64(mostSizes.Repeat)), "How often the workload is repeated on one pool."),
		"pause":     described(durationSchema(), "Between posts, so that workers fall asleep; above 0, at most 10s."),
	})
}

func scenarioSchema(cat *catalogue) object {
	based := object{"required": []string{"base"}}
	native := object{"not": object{"properties": object{"mode": object{"const": Control.String()}}, "required": []string{"mode"}}}
	complete := object{"required": []string{"about", "workload", "expect"}, "if": native, "then": none("strategy", "max-steps", "clock")}
	if !cat.guest() {
		complete["required"] = []string{"about", "pool", "workload", "expect"}
		complete["properties"] = object{"pool": object{"required": []string{"workers"}}}
	}
	rules := []object{{"if": object{"not": based}, "then": complete}}
	if !cat.guest() {
		rules = append(rules, object{
			"if":   object{"properties": object{"pool": object{"required": []string{"sleep"}}}, "required": []string{"pool"}},
			"then": none("except"),
		})
	}
	for _, w := range cat.workloads {
		if cat.guest() {
			rules = append(rules, paramsOf(w))
			continue
		}
		if w.least > 1 || w.most > 0 {
			size := object{"minimum": max(w.least, 1)}
			if w.most > 0 {
				size["maximum"] = w.most
			}
			sizes := object{"properties": object{"workers": object{"items": size}}}
			rules = append(rules, onlyIf("workload", []string{w.Name}, object{"properties": object{"pool": sizes}}))
		}
		var unused []string
		for _, key := range slices.Sorted(maps.Keys(sizesSchema()["properties"].(object))) {
			if !slices.Contains(w.Uses, key) {
				unused = append(unused, key)
			}
		}
		if len(unused) > 0 {
			rules = append(rules, onlyIf("workload", []string{w.Name}, object{"properties": object{"sizes": none(unused...)}}))
		}
		bounds := object{}
		for _, key := range sizeKeys {
			if most := w.bound.count(key); most > 0 {
				bounds[key] = object{"maximum": most}
			}
		}
		if len(bounds) > 0 {
			rules = append(rules, onlyIf("workload", []string{w.Name}, object{"properties": object{"sizes": object{"properties": bounds}}}))
		}
	}
	keys := object{
		"subject":    described(object{"const": cat.subjectName()}, "What it is about, where a program has several subjects."),
		"name":       described(definition("name"), "Lower-case words joined by hyphens; unique."),
		"base":       described(definition("name"), "Another scenario, of which this one has what it does not say itself; of pool and sizes, key by key."),
		"group":      described(definition("name"), "What the scenario belongs to: run --group NAME runs all of a group."),
		"about":      described(saying(), "What the scenario shows: the window or the defect that it aims at."),
		"mode":       described(object{"enum": []string{Native.String(), Control.String()}}, "native: truly parallel, in real time. control: one task at a time, under one schedule after the other, in virtual time. Absent: native."),
		"strategy":   described(definition("strategy"), "Who chooses the schedules; with mode: control only. Absent: "+DefaultStrategy+"."),
		"max-steps":  described(whole(1, math.MaxInt32), "After how many decisions an execution is cut; with mode: control only."),
		"clock":      described(object{"enum": []string{control.Lazy.String(), control.Racy.String()}}, "When timers fire; with mode: control only. lazy: when nobody can go on. racy: at any step, so that timeouts hit running code. Absent: lazy."),
		"pool":       described(definition("pool"), "How the subject is built."),
		"workload":   described(definition("workload"), "What is done to the subject."),
		"sizes":      described(definition("sizes"), "How much of it. Absent: the workload's own."),
		"plan":       described(list(definition("fault"), 0, plan.MaxFaults), "What goes wrong. Absent: nothing."),
		"expect":     described(definition("verdict"), "The verdict that is expected; another than pass makes the scenario a positive control."),
		"may":        described(either(definition("failure")), "Verdicts as good as the expected one: chance decides."),
		"why":        described(saying(), "Why that is expected."),
		"executions": described(whole(1, math.MaxInt32), "Of one campaign, at most."),
		"share":      described(whole(1, mostShare), "Shares of the campaign's time, beside scenarios that get one."),
		"except":     described(list(definition("exception"), 0, 0), "What other strategies of sleep make of it."),
	}
	if cat.guest() {
		delete(keys, "pool")
		delete(keys, "except")
	}
	var inheritable []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if key != "name" && key != "base" {
			inheritable = append(inheritable, key)
		}
	}
	keys["remove"] = described(either(object{"enum": inheritable}), "Keys of the base that this one does not have.")
	return with(mapping(keys, "name"), object{"allOf": rules, "dependentRequired": object{"remove": []string{"base"}}})
}

func faultSchema(points []PointInfo) object {
	delayOnly, holdOnly, rollOnly := []string{"shape", "mean"}, []string{"until"}, []string{"by", "to"}
	var rest []string // neither lasts, nor rolls
	for _, k := range plan.Kinds() {
		if k != hooks.Delays && k != hooks.Holds && k != hooks.Rolls {
			rest = append(rest, k.String())
		}
	}
	need := func(then object, keys ...string) object { return with(then, object{"required": keys}) }
	rules := []object{
		onlyIf("fault", []string{hooks.Delays.String()}, need(none(append(holdOnly, rollOnly...)...), "for")),
		onlyIf("fault", []string{hooks.Holds.String()}, need(none(append(delayOnly, rollOnly...)...), "until")),
		onlyIf("fault", []string{hooks.Rolls.String()}, with(none(append([]string{"for", "until"}, delayOnly...)...), object{"not": object{"required": rollOnly}})),
		onlyIf("fault", rest, none(slices.Concat([]string{"for"}, delayOnly, holdOnly, rollOnly)...)),
		onlyIf("shape", []string{plan.Exponential.String(), plan.Pareto.String()}, object{"required": []string{"mean"}}),
		{"if": object{"required": []string{"mean"}}, "then": object{"required": []string{"shape"}}},
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
	span := object{"type": "string", "pattern": "^ *" + durationPattern + ` *(\.\. *` + durationPattern + " *)?$", "examples": []string{"1ms", "50us..2ms"}}
	return with(mapping(object{
		"at":          described(either(definition("point")), "The hook point, or a list of them: a fault at each."),
		"fault":       described(object{"enum": faultNames()}, "What is done there; one that the point offers."),
		"task":        described(object{"type": "string", "minLength": 1}, "Whom it strikes; a star is any text: worker *. Absent: all."),
		"from":        described(whole(1, math.MaxInt32), "The first of a task's hits that may fire. Absent: as every says."),
		"every":       described(whole(1, math.MaxInt32), "And every so-manieth from there. Alone, 3 is 3, 6, 9. Absent: all."),
		"probability": described(object{"anyOf": []object{{"type": "number", "exclusiveMinimum": 0, "maximum": 1}, {"type": "string", "pattern": `^[+]?[0-9.]+[eE][-+]?[0-9]+$`}}}, "Of those, drawn for each; above 0. Absent: 1."),
		"count":       described(whole(1, math.MaxInt32), "Of those that are drawn, by all tasks of an execution. Absent: no bound."),
		"for":         described(span, "How long a delay lasts, or a hold at most: a duration or a range, at most 10s."),
		"shape":       described(object{"enum": plan.ShapeNames()}, "How delays are distributed. Absent: uniform."),
		"mean":        described(durationSchema(), "Of an exponential or a pareto."),
		"until":       described(definition("point"), "The point at which another task's visit ends a hold."),
		"by":          described(with(whole(math.MinInt64, math.MaxInt64), object{"not": object{"const": 0}}), "What a roll adds to the counter. Absent: -2."),
		"to":          described(object{"type": "integer", "minimum": 0}, "What a roll sets the counter to."),
	}, "at", "fault"), object{"allOf": rules})
}

// An offer is the points that offer the same faults.
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
