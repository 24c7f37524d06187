package stress

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// A Param is what a scenario gives a workload, under the key sizes: a Count, a Span, a
// Choice or a Switch.
type Param interface {
	// label is its name, and what it is about.
	label() (name, about string)
	check() error
	// text is what a scenario has that does not say, as it would say it.
	text(controlled bool) string
	// bounds says what it may be, for people.
	bounds() string
	// read reads what a scenario says, and returns it as Encode writes it.
	read(r *yamltree.Reader, n yamltree.Node) string
	schema() object
}

// A Count is a Param that is a whole number: Execution.Count.
type Count struct {
	Name, About string // the name: lower-case words joined by hyphens
	// Default is what a scenario has that does not say, and Small what it has under
	// control, where each interleaving counts; 0 stands for Default.
	Default, Small int
	// Most is the largest that makes sense: more looks like a hang. The least is 1; or 0
	// if Zero is set.
	Most int
	Zero bool
}

// A Span is a Param that is a duration, such as 20us: Execution.Span.
type Span struct {
	Name, About    string // as of a Count
	Default, Small time.Duration
	Most           time.Duration
	Zero           bool // 0s is one; without it, the least is 1ns
}

// A Choice is a Param that is one of several names: Execution.Choice.
type Choice struct {
	Name, About string
	// Of are the names, at least two: like that of a Param, and beginning with a letter.
	Of []string
	// Default is one of them; so is Small, for scenarios under control, if it is not "",
	// which stands for Default.
	Default, Small string
}

// A Switch is a Param that is true or false: Execution.Switch.
type Switch struct {
	Name, About string
	Default     bool
}

func (p Count) label() (name, about string)  { return p.Name, p.About }
func (p Span) label() (name, about string)   { return p.Name, p.About }
func (p Choice) label() (name, about string) { return p.Name, p.About }
func (p Switch) label() (name, about string) { return p.Name, p.About }

func (p Count) text(controlled bool) string {
	if controlled {
		return strconv.Itoa(cmp.Or(p.Small, p.Default))
	}
	return strconv.Itoa(p.Default)
}

func (p Span) text(controlled bool) string {
	if controlled {
		return shortDuration(cmp.Or(p.Small, p.Default))
	}
	return shortDuration(p.Default)
}

func (p Choice) text(controlled bool) string {
	if controlled {
		return cmp.Or(p.Small, p.Default)
	}
	return p.Default
}

func (p Switch) text(bool) string { return strconv.FormatBool(p.Default) }

func (p Count) least() int          { return least[int](p.Zero) }
func (p Span) least() time.Duration { return least[time.Duration](p.Zero) }

func least[T int | time.Duration](zero bool) T {
	if zero {
		return 0
	}
	return 1
}

func (p Count) bounds() string { return fmt.Sprintf("%d to %d", p.least(), p.Most) }
func (p Span) bounds() string {
	return shortDuration(p.least()) + " to " + shortDuration(p.Most)
}
func (p Choice) bounds() string { return nearest.Enumerate(p.Of) }
func (p Switch) bounds() string { return "true and false" }

func (p Count) check() error { return checkRange(p.least(), p.Default, p.Small, p.Most) }
func (p Span) check() error  { return checkRange(p.least(), p.Default, p.Small, p.Most) }

func checkRange[T int | time.Duration](least, normal, small, most T) error {
	if most < least || normal < least || normal > most || small < 0 || small > most {
		return fmt.Errorf("want %v <= Default <= Most, and Small among them", least)
	}
	return nil
}

func (p Choice) check() error {
	for i, name := range p.Of {
		switch {
		case !scenarioName.MatchString(name) || name[0] <= '9' || slices.Contains(notText, name):
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

func (p Count) read(r *yamltree.Reader, n yamltree.Node) string {
	return strconv.FormatInt(r.Number(n, p.Name, int64(p.least()), int64(p.Most)), 10)
}

func (p Span) read(r *yamltree.Reader, n yamltree.Node) string {
	d := r.Duration(n, p.Name)
	if d < p.least() || d > p.Most {
		r.Fail(n, "%s: found %s, want a duration from %s to %s", p.Name, nearest.Clip(r.Written(n)), shortDuration(p.least()), shortDuration(p.Most))
	}
	return shortDuration(d)
}

func (p Choice) read(r *yamltree.Reader, n yamltree.Node) string {
	s := r.Text(n, p.Name)
	if !slices.Contains(p.Of, s) {
		r.Fail(n, "%s: unknown choice %q; %s", p.Name, nearest.Clip(s), nearest.Hint(s, p.Of))
	}
	return s
}

func (p Switch) read(r *yamltree.Reader, n yamltree.Node) string {
	return strconv.FormatBool(r.Bool(n, p.Name))
}

func (p Count) schema() object { return whole(int64(p.least()), int64(p.Most)) }

// schema says less than read: it knows no bounds of durations.
func (p Span) schema() object   { return durationSchema() }
func (p Choice) schema() object { return oneOf(p.Of, nil) }
func (p Switch) schema() object { return object{"type": "boolean"} }

// checkParams says what is wrong with the parameters of a workload.
func checkParams(params []Param) error {
	var names []string
	for _, p := range params {
		if p == nil {
			return fmt.Errorf("parameter %d is nil", len(names))
		}
		name, _ := p.label()
		if !scenarioName.MatchString(name) {
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

// Count is what the scenario says of the Count of that name, or its default. It, and the
// others like it, panic if the workload has none of that name, or another kind of it.
func (e *Execution) Count(name string) int {
	n, err := strconv.ParseInt(param[Count](e, name), 10, 64)
	return int(must(n, err))
}

// Span is what the scenario says of the Span of that name, or its default.
func (e *Execution) Span(name string) time.Duration {
	return must(time.ParseDuration(param[Span](e, name)))
}

// Choice is what the scenario says of the Choice of that name, or its default.
func (e *Execution) Choice(name string) string { return param[Choice](e, name) }

// Switch is what the scenario says of the Switch of that name, or its default.
func (e *Execution) Switch(name string) bool { return must(strconv.ParseBool(param[Switch](e, name))) }

// must returns what a text stands for that a loader has checked.
func must[T any](v T, err error) T {
	if err != nil {
		panic("stress: a parameter that no loader takes: " + err.Error())
	}
	return v
}

// param is the text of a parameter of that kind.
func param[P Param](e *Execution, name string) string {
	for _, p := range e.params {
		if _, ok := p.(P); !ok {
			continue
		}
		if have, _ := p.label(); have == name {
			if text, ok := e.x.scenario.Params[name]; ok {
				return text
			}
			return p.text(e.x.controlled)
		}
	}
	var none P
	panic(fmt.Sprintf("stress: the workload %s has no %T called %s", e.x.scenario.Workload, none, name))
}
