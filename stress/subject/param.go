package subject

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Param is a parameter that a scenario can set: a Count, a Span, a Choice, a Switch or a Text.
type Param interface {
	// common returns the fields that all kinds have.
	common() common
	check() error
	// text returns the value in a scenario that does not set it, as a scenario would write it.
	text(controlled bool) string
}

type common struct {
	name, about    string
	list, optional bool
	required       bool
}

// None as Small stands for 0: a Count or a Span that controlled scenarios do without unless they
// set it.
const None = -1

// A Count is a whole number: Values.Count.
type Count struct {
	Name, About string // the name: lower-case words joined by hyphens
	// Default is the value in scenarios that do not set it, and Small that in controlled
	// ones, where each interleaving counts; 0 stands for Default, and None for 0.
	Default, Small int
	// Most is the largest value that makes sense: a larger one looks like a hang. The least is
	// 1; or 0 if Zero is set.
	Most int
	Zero bool
	// Why, if set, says why Most is the most, for messages.
	Why string
	// Of, if set, holds the only values allowed, in ascending order.
	Of []int
	// Required parameters must be set by each scenario, and have no default.
	Required bool
	// Optional parameters have no default: Values.Given reports whether the scenario sets
	// it, and Values.Count returns 0 if not.
	Optional bool
	// List parameters are lists in scenarios, and executions go through the elements in turn; through
	// all combinations if there are several lists. A scenario may set one that is Optional to a single
	// value as well. Only parameters of a Target.
	List bool
}

// A Span is a duration, such as 20us: Values.Span.
type Span struct {
	Name, About    string // as of a Count
	Default, Small time.Duration
	Most           time.Duration
	Zero           bool // 0s is allowed; without it, the least is 1ns
}

// A Choice is one of several names: Values.Choice.
type Choice struct {
	Name, About string
	// Of holds the names, at least two, in the form of a parameter's name and beginning with a letter.
	Of []string
	// Default is one of them; so is Small, for controlled scenarios, unless it is "", which
	// stands for Default.
	Default, Small string
}

// A Switch is true or false: Values.Switch.
type Switch struct {
	Name, About string
	Default     bool
}

// A Text is a word whose meaning only the target knows: Values.Text. It is optional: the value
// is "" in scenarios that do not set it.
type Text struct {
	Name, About string
	// Pattern is a regular expression that the whole value must match, and Want says in words
	// what that is, for messages: "a whole number or max".
	Pattern, Want string
}

func (p Count) common() common  { return common{p.Name, p.About, p.List, p.Optional, p.Required} }
func (p Span) common() common   { return common{name: p.Name, about: p.About} }
func (p Choice) common() common { return common{name: p.Name, about: p.About} }
func (p Switch) common() common { return common{name: p.Name, about: p.About} }
func (p Text) common() common   { return common{name: p.Name, about: p.About, optional: true} }

// Label returns the parameter's name.
func Label(p Param) string { return p.common().name }

// About returns the parameter's description.
func About(p Param) string { return p.common().about }

// Optional reports whether the parameter has no default.
func Optional(p Param) bool { return p.common().optional }

// Required reports whether each scenario must set the parameter.
func Required(p Param) bool { return p.common().required }

// IsList reports whether scenarios set the parameter to a list.
func IsList(p Param) bool { return p.common().list }

// Default returns the value in a scenario that does not set the parameter, as a scenario would write it; ""
// if the parameter is Optional or Required.
func Default(p Param, controlled bool) string {
	if Optional(p) || Required(p) {
		return ""
	}
	return p.text(controlled)
}

func (p Count) text(controlled bool) string {
	if controlled {
		return strconv.Itoa(max(cmp.Or(p.Small, p.Default), 0))
	}
	return strconv.Itoa(p.Default)
}

func (p Span) text(controlled bool) string {
	if controlled {
		return FormatSpan(max(cmp.Or(p.Small, p.Default), 0))
	}
	return FormatSpan(p.Default)
}

func (p Choice) text(controlled bool) string {
	if controlled {
		return cmp.Or(p.Small, p.Default)
	}
	return p.Default
}

func (p Switch) text(bool) string { return strconv.FormatBool(p.Default) }
func (p Text) text(bool) string   { return "" }

// FormatSpan formats a duration in ASCII, as scenarios do.
func FormatSpan(d time.Duration) string { return strings.ReplaceAll(d.String(), "µ", "u") }

// Least is the least value allowed.
func (p Count) Least() int { return least[int](p.Zero) }

// Least is the least value allowed.
func (p Span) Least() time.Duration { return least[time.Duration](p.Zero) }

func least[T int | time.Duration](zero bool) T {
	if zero {
		return 0
	}
	return 1
}

func (p Count) check() error {
	if len(p.Of) > 0 && (!slices.IsSorted(p.Of) || !p.Optional && !p.Required && !slices.Contains(p.Of, p.Default)) {
		return fmt.Errorf("want Of in ascending order, and Default in it")
	}
	if p.Optional || p.Required {
		if p.Default != 0 || p.Small != 0 {
			return fmt.Errorf("want neither Default nor Small in what is Optional or Required")
		}
		return nil
	}
	return checkRange(p.Least(), p.Default, p.Small, p.Most)
}

func (p Span) check() error { return checkRange(p.Least(), p.Default, p.Small, p.Most) }

func checkRange[T int | time.Duration](least, normal, small, most T) error {
	if most < least || normal < least || normal > most || small < None || small > most {
		return fmt.Errorf("want %v <= Default <= Most, and Small in between, 0 or None", least)
	}
	return nil
}

// reserved holds words that YAML does not parse as text.
var reserved = []string{"null", "true", "false"}

func (p Choice) check() error {
	for i, name := range p.Of {
		switch {
		case !Hyphened.MatchString(name) || name[0] <= '9' || slices.Contains(reserved, name):
			return fmt.Errorf("choice %q: want a name of lower-case words joined by hyphens, beginning with a letter, and not true, false or null", name)
		case slices.Contains(p.Of[:i], name):
			return fmt.Errorf("two choices are called %s", name)
		}
	}
	if len(p.Of) < 2 || !slices.Contains(p.Of, p.Default) || p.Small != "" && !slices.Contains(p.Of, p.Small) {
		return fmt.Errorf("want at least two names in Of, and Default and Small among them")
	}
	return nil
}

func (p Switch) check() error { return nil }

func (p Text) check() error {
	if _, err := regexp.Compile(p.Pattern); err != nil || p.Pattern == "" || p.Want == "" {
		return fmt.Errorf("want a regular expression in Pattern, and what it means in Want")
	}
	return nil
}

// Matches reports whether the value matches p.Pattern.
func (p Text) Matches(value string) bool {
	return regexp.MustCompile("^(?:" + p.Pattern + ")$").MatchString(value)
}

// checkParams returns an error for invalid parameters that a scenario sets side by side.
func checkParams(params []Param) error {
	var names []string
	for _, p := range params {
		if p == nil {
			return fmt.Errorf("parameter %d is nil", len(names))
		}
		name := Label(p)
		if !Hyphened.MatchString(name) {
			return fmt.Errorf("parameter %q: want a name of lower-case words joined by hyphens", name)
		}
		if err := p.check(); err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
		if slices.Contains(names, name) {
			return fmt.Errorf("two parameters are called %s", name)
		}
		names = append(names, name)
	}
	return nil
}

// A ParamError describes an invalid value of a parameter.
type ParamError struct {
	Name    string // of the parameter
	Problem string // the value found, and the values wanted
}

func (e *ParamError) Error() string { return e.Name + ": " + e.Problem }

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
