package scenario

import (
	"math"
	"slices"

	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/hooks"
)

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
