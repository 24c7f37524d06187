package stress

import (
	"cmp"
	"maps"
	"reflect"
)

// paramsSchema is the sizes of all workloads of a subject other than the pool. What two of them
// call the same, the rules of each are about.
func paramsSchema(workloads []Workload) object {
	keys := object{}
	for _, w := range workloads {
		for _, p := range w.params {
			name, about := p.label()
			schema := p.schema()
			if other, ok := keys[name].(object); ok && !sameBut(other, schema, "description") {
				schema = object{}
			}
			keys[name] = described(schema, cmp.Or(about, name))
		}
	}
	return mapping(keys)
}

// sameBut reports whether two schemas are the same, but for one key.
func sameBut(a, b object, key string) bool {
	a, b = maps.Clone(a), maps.Clone(b)
	delete(a, key)
	delete(b, key)
	return reflect.DeepEqual(a, b)
}

// paramsOf are the rules for the sizes of one of them.
func paramsOf(w Workload) object {
	keys := object{}
	for _, p := range w.params {
		name, _ := p.label()
		keys[name] = p.schema()
	}
	sizes := any(mapping(keys))
	if len(keys) == 0 {
		sizes = false
	}
	return onlyIf("workload", []string{w.Name}, object{"properties": object{"sizes": sizes}})
}
