package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

// NewcomersFile has the failures that newcomers are asked about, with the answers, relative to the corpus.
const NewcomersFile = "newcomers/failures.yaml"

// A Place is some lines of a file, named without its folder.
type Place struct {
	File        string
	First, Last int
}

var placeText = regexp.MustCompile(`^([^/\s:]+\.go):(\d+)(?:-(\d+))?$`)

// parsePlace reads "pool.go:75" or "pool.go:75-80". Folders are dropped.
func parsePlace(text string) (p Place, err error) {
	m := placeText.FindStringSubmatch(text[strings.LastIndexAny(text, `/\`)+1:])
	if m == nil {
		return p, fmt.Errorf("found %q, want a place such as pool.go:75 or pool.go:75-80", nearest.Clip(text))
	}
	p.File = m[1]
	p.First, _ = strconv.Atoi(m[2])
	if p.Last = p.First; m[3] != "" {
		p.Last, _ = strconv.Atoi(m[3])
	}
	if p.First < 1 || p.Last < p.First {
		return p, fmt.Errorf("found %q, want lines from 1, the first one first", nearest.Clip(text))
	}
	return p, nil
}

// String returns the place as it is written.
func (p Place) String() string {
	if p.First == p.Last {
		return fmt.Sprintf("%s:%d", p.File, p.First)
	}
	return fmt.Sprintf("%s:%d-%d", p.File, p.First, p.Last)
}

// meets reports whether two places have a line in common.
func (p Place) meets(q Place) bool { return p.File == q.File && p.First <= q.Last && q.First <= p.Last }

// A Pair are two operations, of which the first one comes first in the failure.
type Pair [2]Place

// A Failure is one that newcomers are asked about, with the answers.
type Failure struct {
	Bug    *Bug
	Number int    // from 1
	Order  []Pair // each of them decides
	Race   bool   // they are the accesses of a data race, in either order
	Change []Place
	Waits  []Place
	Last   []Place
	Fix    string
}

var failureKeys = []string{"bug", "order", "races", "change", "waits", "last", "fix"}

// ReadFailures reads the failures that newcomers are asked about. Their bugs must be in the sets.
func ReadFailures(root string, sets []*Set) (all []*Failure, err error) {
	err = eachEntry(filepath.Join(root, NewcomersFile), "failures", failureKeys, func(r *yamltree.Reader, n yamltree.Node, f *yamltree.Fields) {
		f.Need("bug", "change", "waits", "last", "fix")
		if r.Err != nil {
			return
		}
		id, _ := f.Get("bug")
		fix, _ := f.Get("fix")
		of := &Failure{Number: len(all) + 1, Fix: fix.Text(), Race: f.Has("races"), Change: places(r, f, "change"), Waits: places(r, f, "waits"), Last: places(r, f, "last")}
		if bugs, err := Select(sets, []string{id.Text()}); err != nil || len(bugs) != 1 || bugs[0].ID() != id.Text() {
			id.Fail("bug: found %q, want the name of a bug with its set", nearest.Clip(id.Text()))
		} else {
			of.Bug = bugs[0]
		}
		if f.Has("order") == f.Has("races") {
			r.Fail(n, "want either order or races")
		}
		for _, key := range []string{"order", "races"} {
			if !f.Has(key) {
				continue
			}
			for _, p := range r.Elements(f.Value(key), key) {
				two := placesOf(r, p, key)
				if len(two) == 2 {
					of.Order = append(of.Order, Pair(two))
				} else if r.Err == nil {
					r.Fail(p, "%s: found %d places, want 2", key, len(two))
				}
			}
		}
		all = append(all, of)
	})
	return all, err
}

// eachEntry reads a file that has one list, of mappings.
func eachEntry(name, list string, keys []string, entry func(*yamltree.Reader, yamltree.Node, *yamltree.Fields)) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	r, node, err := yamltree.Read(yamltree.Source{File: name, Text: text})
	if err != nil {
		return err
	}
	fields := r.Fields(node, "the file", []string{list})
	fields.Need(list)
	if r.Err != nil {
		return r.Err
	}
	for _, n := range r.Elements(fields.Value(list), list) {
		entry(r, n, r.Fields(n, "an entry", keys))
	}
	if r.Err != nil {
		return r.Err
	}
	return nil
}

// places are those of a key, a text or a list; none if it is missing.
func places(r *yamltree.Reader, f *yamltree.Fields, key string) []Place {
	if !f.Has(key) {
		return nil
	}
	return placesOf(r, f.Value(key), key)
}

func placesOf(r *yamltree.Reader, n yamltree.Node, key string) (all []Place) {
	elements := []yamltree.Node{n}
	if r.IsList(n) {
		elements = r.Elements(n, key)
	}
	for _, e := range elements {
		text := r.Text(e, key)
		if r.Err != nil {
			return nil
		}
		p, err := parsePlace(text)
		if err != nil {
			r.Fail(e, "%s: %v", key, err)
		}
		all = append(all, p)
	}
	return all
}

// NumberedFailures returns the failures with the numbers; all without numbers.
func NumberedFailures(all []*Failure, numbers []string) (some []*Failure, err error) {
	for _, text := range numbers {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > len(all) {
			return nil, fmt.Errorf("found %q, want the number of a failure, 1 to %d", nearest.Clip(text), len(all))
		}
		if f := all[n-1]; !slices.Contains(some, f) {
			some = append(some, f)
		}
	}
	if len(numbers) == 0 {
		return all, nil
	}
	return some, nil
}
