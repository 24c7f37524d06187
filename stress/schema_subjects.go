package stress

import (
	"slices"
	"strings"
)

// SchemaOf is the function Schema for scenario files whose scenarios are of these subjects, in the
// order in which Main has them: a scenario that does not say is of the first, or of the pool if it has a
// key pool. None stands for the pool.
func SchemaOf(subjects ...Subject) ([]byte, error) {
	subjects = orPool(subjects)
	first, err := subjects[0].schema()
	if err != nil {
		return nil, err
	}
	if len(subjects) == 1 {
		return encodeSchema(first), nil
	}
	schemas := []object{first}
	for _, s := range subjects[1:] {
		schema, err := s.schema()
		if err != nil {
			return nil, err
		}
		schemas = append(schemas, schema)
	}
	return encodeSchema(joined(subjects, schemas)), nil
}

// joined is one schema of several: that of each subject is among its definitions, whole, and what a
// scenario says decides which of them it is to fit.
func joined(subjects []Subject, schemas []object) object {
	var names []string
	var kinds, each []object
	defs := object{} // no subject begins with a capital
	for i, s := range subjects {
		names = append(names, s.Name)
		defs[s.Name] = object{"$defs": beneath(s.Name, schemas[i]["$defs"])}
		kind := definition(s.Name + "/$defs/scenario")
		kinds, each = append(kinds, kind), append(each, onlyIf("subject", []string{s.Name}, kind))
	}
	main, silent := 0, kinds[0]
	if i := slices.IndexFunc(subjects, func(s Subject) bool { return !s.guest }); i >= 0 {
		main, silent = i, byKey("pool", kinds[i], kinds[0])
	}
	defs["Scenario"] = byKey("subject",
		object{"properties": object{"subject": oneOf(names, nil)}, "allOf": each},
		byKey("base", object{"anyOf": kinds}, silent)) // the base may be of any subject, and say so

	schema := beneath(subjects[main].Name, schemas[main]).(object)
	properties := schema["properties"].(object)
	properties["scenarios"] = with(properties["scenarios"].(object), object{"items": definition("Scenario")})
	return with(schema, object{
		"$id":   "urn:rouse:scenarios:" + strings.Join(names, ":"),
		"title": "Scenarios of " + strings.Join(names, " and ") + ", for rouse's stress",
		"$defs": defs,
	})
}

// byKey is one schema where the key is there, another where it is not.
func byKey(key string, there, absent object) object {
	return object{"if": object{"required": []string{key}}, "then": there, "else": absent}
}

// beneath is a schema whose definitions have become those of one of another's.
func beneath(name string, schema any) any {
	switch s := schema.(type) {
	case object:
		moved := object{}
		for key, value := range s { // in any order: what is written is sorted
			if ref, ok := value.(string); ok && key == "$ref" {
				value = strings.Replace(ref, "#/$defs/", "#/$defs/"+name+"/$defs/", 1)
			}
			moved[key] = beneath(name, value)
		}
		return moved
	case []object:
		var moved []object
		for _, o := range s {
			moved = append(moved, beneath(name, o).(object))
		}
		return moved
	}
	return schema
}
