package main

import (
	"rousecore"
	"strings"
)

// everything are the operations of programs, by what they interact with.
var everything = [][]string{
	{"load", "store", "add", "cas"},
	{"lock", "trylock", "rlock", "wlock"},
	{"send", "receive", "close", "select", "poll", "offer"},
	{"signal", "await", "lock"},
	{"wait", "done", "add"},
	{"once", "load", "store", "map"},
	{"sleep", "send", "receive", "poll", "add"},
	{"map", "mapload", "mapstore"},
}

// compareSearches compares the outcomes that DPOR finds with those of a search of all schedules.
func compareSearches() {
	for seed, names := range everything {
		for n := range 25 {
			compare(generate(uint64(seed), uint64(n), names, 2, 3, 1))
		}
		for n := range 6 {
			compare(generate(uint64(seed), uint64(n), names, 3, 1, 1))
		}
	}
	all := strings.Fields(strings.Join([]string{
		"load store cas lock trylock rlock wlock send receive close select poll offer signal await wait done once map",
	}, " "))
	for n := range 60 {
		compare(generate(100, uint64(n), all, 2, 3, 2))
	}
}

// mostExecutions bounds the searches: a program that needs more has been drawn too large.
const mostExecutions = 20_000

func compare(p program) {
	all, complete := p.outcomes("dfs")
	if !complete {
		return
	}
	reduced, complete := p.outcomes("dpor")
	if !complete {
		fail("%v: dpor is not complete", p)
	}
	for o := range all {
		if !reduced[o] {
			fail("%v: dpor has not found %s", p, o)
		}
	}
	for o := range reduced {
		if !all[o] {
			fail("%v: only dpor has found %s", p, o)
		}
	}
}

// outcomes returns the outcomes that a search finds, and whether it has ended.
func (p program) outcomes(strategy string) (found map[string]bool, complete bool) {
	e := engine(strategy, rousecore.Options{})
	defer e.Close()
	found = map[string]bool{}
	for range mostExecutions {
		seen := make([]string, len(p.tasks))
		r, more := e.Run(1, func() { p.run(seen) })
		if !more {
			return found, true
		}
		if r.Verdict == "panic" { // the other tasks may have come to anything
			seen = []string{r.Summary[strings.LastIndexByte(r.Summary, ':'):]}
		}
		found[string(r.Verdict)+" "+strings.Join(seen, "|")] = true
	}
	return found, false
}
