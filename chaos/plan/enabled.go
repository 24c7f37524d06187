//go:build chaos

package plan

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/shorthand"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// mostElements is how many a list of faults may have, with one for the seed and one for plan.
const mostElements = MaxFaults + 2

var tooMany = fmt.Sprintf("found more than %d faults, want at most so many", MaxFaults)

// lineEnds makes one of what YAML takes for the end of a line.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// parse reads a plan.
func parse(name, text string, more []Word) (Plan, error) {
	text = lineEnds.Replace(strings.TrimPrefix(text, "\uFEFF"))
	if err := yamltree.Check(name, []byte(text)); err != nil {
		return Plan{}, syntaxError(err)
	}
	full, open := shorthand.Expand(text, mostElements)
	if open != nil {
		return Plan{}, &SyntaxError{name, open.Line, open.Column, "found a " + open.Mark + " without its other"}
	}
	if len(full.YAML) == 0 {
		return Plan{}, nothing(name)
	}
	r, root, err := yamltree.Read(yamltree.Source{File: name, Text: full.YAML, Place: full.Place, Checked: true})
	if err != nil {
		return Plan{}, syntaxError(err)
	}
	p := parser{Reader: r, more: more, keys: Keys()}
	for _, w := range more {
		p.keys = append(p.keys, w.Key)
	}
	for _, n := range r.Elements(root, "plan") {
		if r.Err == nil {
			p.element(n)
		}
	}
	switch {
	case r.Err != nil:
		return Plan{}, syntaxError(r.Err)
	case full.Rest != nil:
		return Plan{}, &SyntaxError{name, full.Rest.Line, full.Rest.Column, tooMany}
	case len(p.plan.Faults) == 0:
		return Plan{}, nothing(name)
	}
	return p.plan, nil
}

func nothing(name string) *SyntaxError {
	return &SyntaxError{name, 1, 1, "found no fault, want at least one, such as at: package/what, fault: delay, for: 1ms"}
}

// syntaxError gives what has no place in the text the first.
func syntaxError(err error) error {
	var e *yamltree.Error
	if !errors.As(err, &e) {
		return err
	}
	return &SyntaxError{e.File, max(e.Line, 1), max(e.Column, 1), e.Problem}
}

// A parser reads the elements of a plan in full.
type parser struct {
	*yamltree.Reader
	more   []Word
	keys   []string // of a fault
	seeded bool
	plan   Plan
}

// element reads the seed, the list under plan, a list that was one already, or a fault.
func (p *parser) element(n yamltree.Node) {
	has := func(key string) bool { _, ok := p.Peek(n, key); return ok }
	switch {
	case p.IsList(n):
		p.faults(n)
	case !has("seed") && !has("plan"):
		p.fault(n, p.keys)
	case has("at") || has("fault"):
		p.seed(p.fault(n, append([]string{"seed"}, p.keys...)))
	default:
		f := p.Fields(n, "a plan", []string{"seed", "plan"})
		p.seed(f)
		if v, ok := f.Get("plan"); ok && !v.IsNull() { // the list may follow without being indented
			p.faults(f.Value("plan"))
		}
	}
}

func (p *parser) seed(f *yamltree.Fields) {
	v, ok := f.Get("seed")
	if !ok {
		return
	}
	if p.seeded {
		p.Fail(f.At("seed"), "seed: found a second one, want one in a plan")
	}
	p.seeded, p.plan.Seed = true, v.Unsigned()
}

func (p *parser) faults(n yamltree.Node) {
	for _, e := range p.Elements(n, "plan") {
		if p.Err == nil {
			p.fault(e, p.keys)
		}
	}
}

// fault reads a fault, at each of its points, that has some of the keys.
func (p *parser) fault(n yamltree.Node, keys []string) *yamltree.Fields {
	f := p.Fields(n, "a fault", keys)
	for _, fault := range ReadFaults(f, Plan.Check) {
		for _, w := range p.more {
			if v, ok := f.Get(w.Key); ok && p.Err == nil {
				if err := w.Set(len(p.plan.Faults), v.Written()); err != nil {
					v.Fail("%s: %v", w.Key, err)
				}
			}
		}
		p.plan.Faults = append(p.plan.Faults, fault)
	}
	if len(p.plan.Faults) > MaxFaults {
		p.Fail(n, "%s", tooMany)
	}
	return f
}
