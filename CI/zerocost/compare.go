package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A finding is a way in which hooks are not free.
type finding struct {
	fn     string // the function or symbol it is about
	what   string
	detail []string // what to look at, a line each
}

// compareCode reports the functions whose machine code the hooks changed. Those
// that differ in no-ops only are in noops, by how many the hooks added.
func compareCode(with, without []code) (findings []finding, noops map[string]int) {
	a, b := bySymbol(with), bySymbol(without)
	noops = map[string]int{}
	for _, name := range union(a, b) {
		switch {
		case len(a[name]) > len(b[name]):
			findings = append(findings, finding{fn: name, what: "exists only with the hooks"})
		case len(a[name]) < len(b[name]):
			findings = append(findings, finding{fn: name, what: "exists only without the hooks"})
		}
		for i := range min(len(a[name]), len(b[name])) {
			with, without := a[name][i], b[name][i]
			if !with.equal(without) {
				findings = append(findings, finding{
					fn: name,
					what: fmt.Sprintf("%d instructions with the hooks, %d without",
						len(with.instructions), len(without.instructions)),
					detail: diff(without.instructions, with.instructions),
				})
			} else if n := with.noops - without.noops; n != 0 {
				noops[name] += n
			}
		}
	}
	return findings, noops
}

func bySymbol(functions []code) map[string][]code {
	m := map[string][]code{}
	for _, f := range functions {
		m[f.symbol] = append(m[f.symbol], f)
	}
	return m
}

// union returns the keys of both maps, sorted.
func union[V, W any](a map[string]V, b map[string]W) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// diffLines bounds what is shown of a difference: its beginning tells the cause,
// the rest is registers and offsets that follow from it.
const diffLines = 16

// diff shows where two sequences of instructions part: "-" is what the stripped
// tree has, "+" what the hooks made of it. Where a branch leads is not shown, as
// everything behind the first difference has moved.
func diff(old, new []instruction) []string {
	same := func(i, j int) bool { return old[i].text == new[j].text }
	// common[i][j] is the length of the longest common subsequence of old[i:], new[j:].
	common := make([][]int, len(old)+1)
	for i := range common {
		common[i] = make([]int, len(new)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(new) - 1; j >= 0; j-- {
			if same(i, j) {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []string
	for i, j := 0, 0; i < len(old) || j < len(new); {
		switch {
		case i < len(old) && j < len(new) && same(i, j):
			i, j = i+1, j+1
		case j == len(new) || i < len(old) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, "- "+old[i].text)
			i++
		default:
			lines = append(lines, "+ "+new[j].text)
			j++
		}
	}
	if len(lines) > diffLines {
		lines = append(lines[:diffLines], fmt.Sprintf("... and %d more", len(lines)-diffLines))
	}
	return lines
}

// A names holds what belongs to hooks by name.
type names struct {
	module string
	points map[string]bool // the variables of the packages that hold hook points
}

// forbidden reports why a symbol has no place in a normal binary, or "".
func (n names) forbidden(name string) string {
	if n.points[name] {
		return "a hook point is in the binary"
	}
	name = strings.TrimPrefix(name, "type:")
	name = strings.TrimLeft(name, ".*") // type:.eq.P, type:*P
	for _, p := range []string{"/hooks/time", "/hooks/context", "/hooks", "/internal/seam"} {
		if !strings.Contains(name, n.module+p+".") && !strings.Contains(name, n.module+p+"/") {
			continue
		}
		if p == "/hooks/time" || p == "/hooks/context" {
			return "" // they may hold variables: see their documentation
		}
		return "a symbol of " + p[1:] + " is in the binary"
	}
	return ""
}

// compareSymbols reports what a binary holds only because of the hooks, or misses
// because of them. Only those symbols count for which counts is true; what has no
// place in a normal binary always does.
func compareSymbols(n names, with, without []symbol, counts func(string) bool) []finding {
	var findings []finding
	a, b := sizes(with), sizes(without)
	for _, name := range union(a, b) {
		if why := n.forbidden(name); why != "" {
			if _, ok := a[name]; ok {
				findings = append(findings, finding{fn: name, what: why})
			}
			continue
		}
		if table(name) || !counts(name) {
			continue
		}
		with, in := a[name]
		without, inStripped := b[name]
		switch {
		case !inStripped:
			findings = append(findings, finding{fn: name, what: "is in the binary only with the hooks"})
		case !in:
			findings = append(findings, finding{fn: name, what: "is in the binary only without the hooks"})
		case with != without:
			findings = append(findings, finding{fn: name, what: fmt.Sprintf("%d bytes with the hooks, %d without", with, without)})
		}
	}
	return findings
}

func sizes(symbols []symbol) map[string]uint64 {
	m := map[string]uint64{}
	for _, s := range symbols {
		m[s.name] += s.size
	}
	return m
}

// table reports whether a symbol is one of the linker's tables. They hold names of
// inlined functions for stack traces and so on: no code, and nothing that runs.
func table(name string) bool {
	switch name {
	case "runtime.pclntab", "runtime.epclntab", "runtime.findfunctab", "runtime.symtab", "runtime.esymtab",
		"runtime.funcnametab", "runtime.cutab", "runtime.filetab", "runtime.pctab", "runtime.functab":
		return true
	}
	return strings.HasPrefix(name, "go:")
}
