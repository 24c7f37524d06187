package mutation

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A Subject is what the page has a section about.
type Subject struct {
	Name string
	Judgement
	Data
}

// ReadSubjects reads the subjects of a folder, in the order of their names, and checks them.
func ReadSubjects(dir string) (all []Subject, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	for _, file := range names {
		name := filepath.Base(file)
		switch filepath.Ext(name) {
		case ".jsonl":
			s, err := readSubject(dir, strings.TrimSuffix(name, ".jsonl"))
			if err != nil {
				return nil, err
			}
			all = append(all, s)
		case ".yaml":
			if !slices.Contains(names, strings.TrimSuffix(file, ".yaml")+".jsonl") {
				return nil, fmt.Errorf("%s has no data: there is no %s.jsonl", file, strings.TrimSuffix(name, ".yaml"))
			}
		default:
			return nil, fmt.Errorf("%s is no file of a subject: want NAME.jsonl and NAME.yaml", file)
		}
	}
	return all, nil
}

func readSubject(dir, name string) (s Subject, err error) {
	s.Name = name
	file := filepath.Join(dir, name+".jsonl")
	if s.Data, err = ReadData(file); err != nil {
		return s, err
	}
	if s.Judgement, err = ReadJudgement(filepath.Join(dir, name+".yaml")); err != nil {
		return s, err
	}
	if err := s.Check(&s.Data); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// A count is that of some mutants.
type count struct {
	mutants, dropped, errored, killed int
	by                                []int        // killed in the way of each column
	kinds                             map[Kind]int // of survivors
}

// counted are the mutants that the score is about.
func (c *count) counted() int { return c.mutants - c.dropped - c.errored }

// different are those of them that are not equivalent.
func (c *count) different() int { return c.counted() - c.kinds[EquivalentByHand] }

func (c *count) survived() int { return c.counted() - c.killed }

// count counts the mutants that are wanted.
func (s *Subject) count(wanted func(*Mutant) bool) count {
	c := count{by: make([]int, len(s.Columns)), kinds: map[Kind]int{}}
	for i := range s.Mutants {
		m := &s.Mutants[i]
		if !wanted(m) {
			continue
		}
		c.mutants++
		switch {
		case m.Status.dropped():
			c.dropped++
			continue
		case m.Status == Errored:
			c.errored++
			continue
		case m.Status == Killed:
			c.killed++
		default:
			c.kinds[s.of(m).Kind]++
		}
		for k, column := range s.Columns {
			if m.killedBy(column.Name) {
				c.by[k]++
			}
		}
	}
	return c
}

func every(*Mutant) bool { return true }

// operators are the names of the operators of the mutants, sorted.
func (s *Subject) operators() (names []string) {
	for _, m := range s.Mutants {
		names = append(names, m.Operator)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// counts reports whether a mutant is in the score.
func counts(m *Mutant) bool { return !m.Status.dropped() && m.Status != Errored }

// A wayCount is what the way of a column came to.
type wayCount struct {
	tested  int
	killed  int
	endless int // of killed: no end in time
	alone   int // of killed: tested in all ways, and killed by no other
	first   int // of killed: not killed in the ways of the columns before
	sum     int // killed until here
}

// ways counts for each column.
func (s *Subject) ways() []wayCount {
	all := make([]wayCount, len(s.Columns))
	for i := range s.Mutants {
		m := &s.Mutants[i]
		if !counts(m) {
			continue
		}
		known := false
		for k, c := range s.Columns {
			w := &all[k]
			t := m.by(c.Name)
			if t != nil && t.Outcome.ran() {
				w.tested++
			}
			if m.killedBy(c.Name) {
				w.killed++
				if t.Outcome == TrialTimeout {
					w.endless++
				}
				if s.alone(m) == c.Name {
					w.alone++
				}
				if !known {
					w.first++
				}
				known = true
			}
			if known {
				w.sum++
			}
		}
	}
	return all
}

// alone returns the only column that has killed a mutant, if the others have tried; else "".
func (s *Subject) alone(m *Mutant) string {
	name := ""
	for _, c := range s.Columns {
		t := m.by(c.Name)
		switch {
		case t == nil || !t.Outcome.ran():
			return ""
		case t.Outcome.kills() && name != "":
			return ""
		case t.Outcome.kills():
			name = c.Name
		}
	}
	return name
}
