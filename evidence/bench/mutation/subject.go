package mutation

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A Subject is one section of the page.
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

// A count counts mutants by their results.
type count struct {
	mutants, dropped, errored, killed int
	by                                []int        // killed in the way of each column
	kinds                             map[Kind]int // of survivors
}

// counted returns the number of mutants in the score.
func (c *count) counted() int { return c.mutants - c.dropped - c.errored }

// different returns the number of counted mutants that are not equivalent.
func (c *count) different() int { return c.counted() - c.kinds[EquivalentByHand] }

func (c *count) survived() int { return c.counted() - c.killed }

// count counts the mutants for which wanted returns true.
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

// operators returns the names of the operators of the mutants, sorted.
func (s *Subject) operators() (names []string) {
	for _, m := range s.Mutants {
		names = append(names, m.Operator)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// counts reports whether a mutant is in the score.
func counts(m *Mutant) bool { return !m.Status.dropped() && m.Status != Errored }

// A wayCount counts the results of one column.
type wayCount struct {
	tested  int
	killed  int
	endless int // of killed: they did not end in time
	first   int // of killed: not killed in the columns before
	sum     int // killed in this column or before
}

// ways returns the counts of each column.
func (s *Subject) ways() []wayCount {
	all := make([]wayCount, len(s.Columns))
	for i := range s.Mutants {
		m := &s.Mutants[i]
		if !counts(m) {
			continue
		}
		first := s.first(m)
		for k, c := range s.Columns {
			w, t := &all[k], m.by(c.Name)
			if t != nil && t.Outcome.ran() {
				w.tested++
			}
			if m.killedBy(c.Name) {
				w.killed++
			}
			if t != nil && t.Outcome == TrialTimeout {
				w.endless++
			}
			if first == k {
				w.first++
			}
			if first >= 0 && first <= k {
				w.sum++
			}
		}
	}
	return all
}

// first returns the first column that has killed a mutant; -1 if none has.
func (s *Subject) first(m *Mutant) int {
	return slices.IndexFunc(s.Columns, func(c Column) bool { return m.killedBy(c.Name) })
}
