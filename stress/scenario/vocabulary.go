package scenario

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// A vocabulary is the compiled schema of the files that Load reads.
type vocabulary struct {
	schema *jsonschema.Schema
	doc    any // the schema, from which errors take the words for what is wanted
}

// vocabularies caches the compiled vocabularies by the text of the schema.
var vocabularies sync.Map

// vocabulary returns the vocabulary of all subjects of the catalogue.
func (c *catalogue) vocabulary() *vocabulary {
	text, err := json.Marshal(fileSchema(c.whole, nil))
	must(err)
	if v, ok := vocabularies.Load(string(text)); ok {
		return v.(*vocabulary)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	must(err)
	id := doc.(object)["$id"].(string)
	compiler := jsonschema.NewCompiler()
	must(compiler.AddResource(id, doc))
	schema, err := compiler.Compile(id)
	must(err)
	v := &vocabulary{schema, doc}
	vocabularies.Store(string(text), v)
	return v
}

// must panics if err is not nil: the schema is made of names and numbers that subjects have checked.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// A problem is a violation of the schema, in the words of Load.
type problem struct {
	mapping *yamltree.Tree // or the value
	at      *yamltree.Tree
	key     bool // about the key, not the value
	rank    int  // order among the problems of a mapping
	text    string
}

// check fails at the violation that comes first in the file: within a mapping, unknown keys come before
// missing ones, and these before values. It reports whether the document is valid. Violations that
// decoding explains better are left to it, but valid is false for them.
func (v *vocabulary) check(root *yamltree.Tree, instance any) (valid bool) {
	err, _ := v.schema.Validate(instance).(*jsonschema.ValidationError)
	if err == nil {
		return true
	}
	problems := v.problems(root, err)
	if len(problems) > 0 {
		// Of two problems with the same value, the shorter one lists fewer names: those of one subject.
		first := slices.MinFunc(problems, func(a, b problem) int {
			return cmp.Or(inText(a.mapping, b.mapping), a.rank-b.rank, inText(a.at, b.at), cmp.Compare(len(a.text), len(b.text)), cmp.Compare(a.text, b.text))
		})
		if first.key {
			first.at.FailKey("%s", first.text)
		} else {
			first.at.Fail("%s", first.text)
		}
	}
	return false
}

// inText compares the places of a and b in the text.
func inText(a, b *yamltree.Tree) int {
	line, column := a.Place()
	otherLine, otherColumn := b.Place()
	return cmp.Or(line-otherLine, column-otherColumn)
}

func (v *vocabulary) problems(root *yamltree.Tree, e *jsonschema.ValidationError) (all []problem) {
	at := root.At(e.InstanceLocation)
	schema := v.at(e.SchemaURL)
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		known := keysOf(schema)
		for _, key := range k.Properties {
			all = append(all, problem{at, at.Fields[key], true, 0, fmt.Sprintf("unknown key %q in %s; %s", nearest.Clip(key), at.What, nearest.Hint(key, known))})
		}
	case *kind.Required:
		all = append(all, problem{at, at, false, 1, fmt.Sprintf("%s lacks the key %q", at.What, k.Missing[0])})
	case *kind.DependentRequired:
		all = append(all, problem{at, at.Fields[k.Prop], true, 1, fmt.Sprintf("%s: found it in %s without %s, want %[3]s, or no %[1]s", k.Prop, at.What, k.Missing[0])})
	case *kind.AnyOf:
		if missing := alternatives(e.Causes); missing != "" {
			all = append(all, problem{at, at, false, 1, fmt.Sprintf("%s lacks the key %s", at.What, missing)})
		}
	case *kind.UniqueItems:
		twice := at.Items[k.Duplicates[1]]
		all = append(all, problem{at, twice, false, 2, fmt.Sprintf("%s: found %s twice", at.What, nearest.Clip(twice.Written()))})
	case *kind.MinItems:
		all = append(all, problem{at, at, false, 2, fmt.Sprintf("%s: the list is empty, want %s", at.What, wantItems(schema))})
	case *kind.MaxItems:
		all = append(all, problem{at, at.Items[k.Want], false, 2, fmt.Sprintf("%s: the list has %d elements, want %s", at.What, k.Got, wantItems(schema))})
	default:
		if text, _ := schema["errorMessage"].(string); strings.HasPrefix(text, "found") {
			all = append(all, problem{at, at, true, 2, at.What + ": " + text})
		} else if len(e.Causes) == 0 {
			all = append(all, problem{at, at, false, 2, refusal(at, schema)})
		}
		for _, cause := range e.Causes {
			all = append(all, v.problems(root, cause)...)
		}
	}
	return all
}

// at is the part of the schema with that address.
func (v *vocabulary) at(url string) object {
	part := v.doc
	_, pointer, _ := strings.Cut(url, "#")
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch p := part.(type) {
		case object:
			part = p[step]
		case []any:
			i, _ := strconv.Atoi(step)
			part = p[i]
		}
	}
	schema, _ := part.(object)
	return schema
}

// alternatives are the keys of which one is missing, if that is what the causes say.
func alternatives(causes []*jsonschema.ValidationError) string {
	var keys []string
	for _, e := range causes {
		k, ok := e.ErrorKind.(*kind.Required)
		if !ok {
			return ""
		}
		keys = append(keys, strconv.Quote(k.Missing[0]))
	}
	return strings.Join(keys, " or ")
}

func wantItems(schema object) string {
	switch least, most := schema["minItems"], schema["maxItems"]; {
	case most == nil:
		return fmt.Sprintf("at least %v", least)
	case least == nil:
		return fmt.Sprintf("at most %v", most)
	default:
		return fmt.Sprintf("%v to %v", least, most)
	}
}

func keysOf(schema object) []string {
	keys, _ := schema["properties"].(object)
	return slices.Sorted(maps.Keys(keys))
}

// refusal says what a value is, and what the schema wants.
func refusal(t *yamltree.Tree, schema object) string {
	text, isText := t.Scalar.(string)
	if schema["type"] == "object" {
		return fmt.Sprintf("found %s, want %s: a mapping with the keys %s", t.Found(), t.What, nearest.Enumerate(keysOf(schema)))
	}
	names, numbers := enumerated(schema)
	if isText && len(names) > 0 && !numbers {
		noun, _ := schema["title"].(string)
		return fmt.Sprintf("unknown %s %q; %s", cmp.Or(noun, t.What), nearest.Clip(text), nearest.Hint(text, names))
	}
	found, want := t.Found(), wanted(schema, isText)
	if isText && strings.TrimSpace(text) == "" {
		found = "an empty text"
	}
	return fmt.Sprintf("%s: found %s, %s", t.What, found, want)
}

// enumerated are the values that there are, and whether they are numbers.
func enumerated(schema object) (all []string, numbers bool) {
	values, _ := schema["enum"].([]any)
	for _, value := range values {
		_, numbers = value.(json.Number)
		all = append(all, fmt.Sprint(value))
	}
	return all, numbers
}

// wanted says what the schema wants instead of a text, or of something else.
func wanted(schema object, isText bool) string {
	if want, ok := schema["errorMessage"].(string); ok {
		return want
	}
	if want, ok := schema["patternErrorMessage"].(string); ok && isText {
		return want
	}
	names, numbers := enumerated(schema)
	switch {
	case numbers:
		return "want one of " + nearest.Enumerate(names)
	case schema["type"] == "array":
		return "want a list"
	case schema["type"] == "boolean":
		return "want true or false"
	case schema["type"] == "integer":
		return fmt.Sprintf("want a whole number from %v to %v", schema["minimum"], schema["maximum"])
	}
	return "want text"
}
