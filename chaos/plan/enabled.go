//go:build chaos

package plan

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/rouse-go/rouse/internal/yamltree"
)

// parse reads a plan.
func parse(name, text string, more []Word) (Plan, error) {
	if strings.TrimSpace(text) == "" {
		return Plan{}, noFault(name)
	}
	r, root, err := yamltree.Read(yamltree.Source{File: name, Text: []byte(text)})
	if err != nil {
		return Plan{}, syntaxError(text, err)
	}
	p := parser{Reader: r, more: more, keys: KeyNames()}
	for _, w := range more {
		p.keys = append(p.keys, w.Key)
	}
	p.read(root)
	switch {
	case r.Err != nil:
		return Plan{}, syntaxError(text, r.Err)
	case len(p.plan.Faults) == 0:
		return Plan{}, noFault(name)
	}
	return p.plan, nil
}

func noFault(name string) *SyntaxError {
	return &SyntaxError{name, 1, 1, "found no fault, want at least one, such as {at: package/what, fault: delay, for: 1ms}"}
}

// syntaxError places an error inside the text: one that is about all of it at its beginning,
// and one about a value that is missing at the end of its line.
func syntaxError(text string, err error) error {
	var e *yamltree.Error
	if !errors.As(err, &e) {
		return err
	}
	lines := strings.Split(lineEnds.Replace(strings.TrimPrefix(text, "\uFEFF")), "\n")
	line := min(max(e.Line, 1), len(lines))
	column := min(max(e.Column, 1), utf8.RuneCountInString(lines[line-1])+1)
	problem := e.Problem
	if strings.HasPrefix(problem, "not YAML: mapping value") {
		problem += "; a fault on one line needs braces: {at: package/what, fault: yield}"
	}
	return &SyntaxError{e.File, line, column, problem}
}

// lineEnds replaces every line break of YAML by the same one.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A parser reads a plan out of the tree of its text.
type parser struct {
	*yamltree.Reader
	more []Word
	keys []string // of a fault
	plan Plan
}

// read reads a list of faults, a mapping with the keys seed and plan, or one fault.
func (p *parser) read(root yamltree.Node) {
	_, seed := p.Peek(root, "seed")
	_, plan := p.Peek(root, "plan")
	switch {
	case p.IsList(root):
		p.faults(root)
	case !seed && !plan:
		p.fault(root)
	default:
		f := p.Fields(root, "a plan", []string{"seed", "plan"})
		if v, ok := f.Get("seed"); ok {
			p.plan.Seed = v.Unsigned()
		}
		if plan {
			p.faults(f.Value("plan"))
		}
	}
}

func (p *parser) faults(n yamltree.Node) {
	for _, e := range p.Elements(n, "plan") {
		if p.Err == nil {
			p.fault(e)
		}
	}
}

// fault reads a fault, at each of its points.
func (p *parser) fault(n yamltree.Node) {
	f := p.Fields(n, "a fault", p.keys)
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
		p.Fail(n, "found more than %d faults, want at most %[1]d", MaxFaults)
	}
}
