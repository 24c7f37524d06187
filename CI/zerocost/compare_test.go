package main

import (
	"slices"
	"strings"
	"testing"
)

func body(symbol string, noops int, instructions ...string) code {
	c := code{symbol: symbol, noops: noops}
	for _, i := range instructions {
		c.instructions = append(c.instructions, instruction{key: i, text: i})
	}
	return c
}

func TestCompareCode(t *testing.T) {
	findings, noops := compareCode(
		[]code{body("p.same", 0, "a", "b"), body("p.longer", 0, "a", "x", "b"), body("p.added", 0), body("p.marked", 2, "a")},
		[]code{body("p.same", 0, "a", "b"), body("p.longer", 0, "a", "b"), body("p.gone", 0), body("p.marked", 1, "a")},
	)
	var got []string
	for _, f := range findings {
		got = append(got, f.fn+": "+f.what+" "+strings.Join(f.detail, "|"))
	}
	want := []string{
		"p.added: exists only with the hooks ",
		"p.gone: exists only without the hooks ",
		"p.longer: 3 instructions with the hooks, 2 without + x",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if len(noops) != 1 || noops["p.marked"] != 1 {
		t.Errorf("no-ops: %v", noops)
	}
}

func TestCompareInlining(t *testing.T) {
	with := parseInlining([]byte("a.go:1:2: cannot inline (*T).F: function too complex: cost 81 exceeds budget 80\n" +
		"a.go:2:2: can inline G with cost 3 as: func() { return }\na.go:3:2: inlining call to G\n"))
	without := parseInlining([]byte("a.go:1:2: can inline (*T).F with cost 79 as: method(*T) func() { }\n" +
		"a.go:2:2: can inline G with cost 2 as: func() { return }\n"))
	findings := compareInlining(with, without)
	if len(findings) != 1 || findings[0].fn != "(*T).F" || !strings.Contains(findings[0].what, "cost 81 exceeds budget 80") {
		t.Errorf("got %v", findings)
	}
	if findings := compareInlining(without, with); len(findings) != 1 {
		t.Errorf("the other way round: %v", findings)
	}
}

func TestForbiddenSymbols(t *testing.T) {
	n := names{module: "example.com/m", points: map[string]bool{"example.com/m/pool.point": true}}
	for name, forbidden := range map[string]bool{
		"example.com/m/hooks.At":                      true,
		"example.com/m/hooks..inittask":               true,
		"example.com/m/hooks/sync.(*Mutex).Lock":      true,
		"example.com/m/internal/seam.points":          true,
		"type:.eq.example.com/m/hooks.Point":          true,
		"example.com/m/pool.point":                    true,
		"example.com/m/hooks/time.Sleep":              false,
		"example.com/m/hooks/context.Canceled":        false,
		"example.com/m/hooks/channel.wait":            true,
		"example.com/m/pool.points":                   false,
		"example.com/m/pool.(*Pool).Run":              false,
		"internal/runtime/exithook.hooks":             false,
		"example.com/m/pool.F[example.com/m/hooks.P]": true,
	} {
		if got := n.forbidden(name) != ""; got != forbidden {
			t.Errorf("%s: forbidden is %v, want %v", name, got, forbidden)
		}
	}
}

func TestOwnerOfASymbol(t *testing.T) {
	funcs := []string{"F", "FF", "(*T).M", "T.N", "init"}
	for symbol, want := range map[string]string{
		"F":                                   "F",
		"F.func1.2":                           "F",
		"FF.gowrap1":                          "FF",
		"F[go.shape.int]":                     "F",
		"(*T[go.shape.int,go.shape.[]int]).M": "(*T).M",
		"(*T).M-fm":                           "(*T).M",
		"(*T).M.deferwrap1":                   "(*T).M",
		"T.N":                                 "T.N",
		"init.0":                              "init",
		"point":                               "point",
	} {
		if got := ownerIn(funcs, symbol); got != want {
			t.Errorf("%s belongs to %s, want %s", symbol, got, want)
		}
	}
	if got := linkName("example.com/a.b/c.d"); got != "example.com/a.b/c%2ed" {
		t.Errorf("link name %s", got)
	}
}
