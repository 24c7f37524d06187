package seam

import (
	"slices"
	"strings"
	"sync"
)

// A Point is a declared hook point. It is immutable once declared.
type Point struct {
	Name   string // "package/what", e.g. "sleep/registered"
	Window string // one line: what is pending while a goroutine is here
	Offers Fault  // the faults that a plan may ask for here
	// Operation marks a point of a drop-in, at an operation that an engine knows.
	Operation bool
	// Index numbers the points of this binary densely, in order of declaration.
	// It is for lookup tables only: it differs between binaries and must not
	// reach a decision, a recording or a hash.
	Index int
	// Key is a hash of Name, the same in every binary.
	Key uint64
}

// DeclareOperation is Declare for the drop-ins.
func DeclareOperation(name, window string, offers Fault) *Point {
	p := Declare(name, window, offers)
	p.Operation = true
	return p
}

// points is the registry. It needs no initialisation at run time, so a binary that
// declares no point contains no part of it.
var points struct {
	sync.Mutex
	list []*Point
}

// Declare registers a point. It panics if the name is malformed or taken, or if no fault is
// offered: mistakes in the declaring package, found as soon as it is loaded.
func Declare(name, window string, offers Fault) *Point {
	if !wellFormed(name) {
		panic("hooks: point \"" + name + "\": want package/what, lower case, words joined by hyphens")
	}
	if offers == 0 || offers >= faultEnd {
		panic("hooks: point " + name + " offers no fault that exists")
	}
	points.Lock()
	defer points.Unlock()
	for _, p := range points.list {
		if p.Name == name {
			panic("hooks: point " + name + " is declared twice")
		}
	}
	p := &Point{Name: name, Window: window, Offers: offers, Index: len(points.list), Key: Hash(name)}
	points.list = append(points.list, p)
	return p
}

// Points returns all declared points, by name.
func Points() []*Point {
	points.Lock()
	defer points.Unlock()
	sorted := slices.Clone(points.list)
	slices.SortFunc(sorted, func(a, b *Point) int { return strings.Compare(a.Name, b.Name) })
	return sorted
}

// Lookup returns the point of that name, or nil.
func Lookup(name string) *Point {
	points.Lock()
	defer points.Unlock()
	for _, p := range points.list {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Hash is 64-bit FNV-1a: the same for the same text on every machine.
func Hash(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h ^= uint64(text[i])
		h *= 1099511628211
	}
	return h
}

// wellFormed reports whether name is at least two elements joined by slashes, each one or more
// words joined by hyphens, each of lower-case letters and digits; an element begins with a letter.
// (A regular expression would have every program that imports hooks initialise its package.)
func wellFormed(name string) bool {
	elements := strings.Split(name, "/")
	for _, element := range elements {
		if element == "" || element[0] < 'a' || element[0] > 'z' {
			return false
		}
		for word := range strings.SplitSeq(element, "-") {
			if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
				return false
			}
		}
	}
	return len(elements) >= 2
}
