package subject

import (
	"fmt"
	"maps"
	"strconv"
	"time"
)

// Values are the parameters of one execution, those of the subject and those of the workload, with
// the defaults for what the scenario does not set. Each method panics if there is no
// parameter of that name, or if it is of another kind.
type Values struct {
	params     []Param
	set        map[string]string
	variant    string
	controlled bool
}

// NewValues returns the values of these parameters, set as a scenario writes them, with the
// variant of that name ("" if the subject has none).
func NewValues(params []Param, set map[string]string, variant string, controlled bool) Values {
	return Values{params, maps.Clone(set), variant, controlled}
}

// Controlled reports whether one task runs at a time, and time is virtual.
func (v Values) Controlled() bool { return v.controlled }

// Variant is the name of the subject's variant, "" if it has none.
func (v Values) Variant() string { return v.variant }

// Given reports whether the scenario sets the parameter.
func (v Values) Given(name string) bool {
	_, ok := v.set[name]
	return ok
}

// Has reports whether there is a parameter of that name.
func (v Values) Has(name string) bool {
	for _, p := range v.params {
		if Label(p) == name {
			return true
		}
	}
	return false
}

// Count is the value of the Count of that name.
func (v Values) Count(name string) int {
	text := value[Count](v, name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return int(must(n, err))
}

// Span is the value of the Span of that name.
func (v Values) Span(name string) time.Duration {
	return must(time.ParseDuration(value[Span](v, name)))
}

// Choice is the value of the Choice of that name.
func (v Values) Choice(name string) string { return value[Choice](v, name) }

// Switch is the value of the Switch of that name.
func (v Values) Switch(name string) bool { return must(strconv.ParseBool(value[Switch](v, name))) }

// Text is the value of the Text of that name.
func (v Values) Text(name string) string { return value[Text](v, name) }

// must returns what a text stands for that has been checked when it was read.
func must[T any](v T, err error) T {
	if err != nil {
		panic("stress: a parameter that no scenario file can set: " + err.Error())
	}
	return v
}

// value is the text of a parameter of that kind.
func value[P Param](v Values, name string) string {
	for _, p := range v.params {
		if _, ok := p.(P); !ok || Label(p) != name {
			continue
		}
		if text, ok := v.set[name]; ok {
			return text
		}
		return Default(p, v.controlled)
	}
	var none P
	panic(fmt.Sprintf("stress: there is no %T called %s", none, name))
}
