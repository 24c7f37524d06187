package subject

import (
	"fmt"
	"strconv"
	"time"
)

// Values holds the parameters of one execution, those of the subject and those of the workload, with
// defaults for those that the scenario does not set. Each method panics if there is no
// parameter of that name, or if it is of another kind.
type Values struct {
	byName     map[string]value
	variant    string
	controlled bool
}

// A value is the text of a parameter, as a scenario writes it.
type value struct {
	of    Param
	text  string
	given bool // by the scenario
}

// NewValues returns the values of params, set as a scenario writes them, with the named
// variant ("" if the subject has no variants). They may be used in many executions.
func NewValues(params []Param, set map[string]string, variant string, controlled bool) Values {
	v := Values{map[string]value{}, variant, controlled}
	for _, p := range params {
		text, given := set[Label(p)]
		if !given {
			text = Default(p, controlled)
		}
		v.byName[Label(p)] = value{p, text, given}
	}
	return v
}

// Controlled reports whether one task runs at a time, and time is virtual.
func (v Values) Controlled() bool { return v.controlled }

// Variant returns the name of the subject's variant, "" if it has no variants.
func (v Values) Variant() string { return v.variant }

// Given reports whether the scenario sets the parameter.
func (v Values) Given(name string) bool { return v.byName[name].given }

// Has reports whether there is a parameter of that name.
func (v Values) Has(name string) bool {
	_, ok := v.byName[name]
	return ok
}

// Count returns the value of the named Count.
func (v Values) Count(name string) int {
	count := text[Count](v, name)
	if count == "" {
		return 0
	}
	n, err := strconv.ParseInt(count, 10, 64)
	return int(must(n, err))
}

// Span returns the value of the named Span.
func (v Values) Span(name string) time.Duration {
	return must(time.ParseDuration(text[Span](v, name)))
}

// Choice returns the value of the named Choice.
func (v Values) Choice(name string) string { return text[Choice](v, name) }

// Switch returns the value of the named Switch.
func (v Values) Switch(name string) bool { return must(strconv.ParseBool(text[Switch](v, name))) }

// Text returns the value of the named Text.
func (v Values) Text(name string) string { return text[Text](v, name) }

// must returns v, parsed from a text that was checked when it was read; it panics if err is not nil.
func must[T any](v T, err error) T {
	if err != nil {
		panic("stress: a parameter that no scenario file can set: " + err.Error())
	}
	return v
}

// text returns the text of the named parameter, which must be of kind P.
func text[P Param](v Values, name string) string {
	one, ok := v.byName[name]
	if _, kind := one.of.(P); !ok || !kind {
		var none P
		panic(fmt.Sprintf("stress: there is no %T called %s", none, name))
	}
	return one.text
}
