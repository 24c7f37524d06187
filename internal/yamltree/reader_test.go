package yamltree

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type values struct {
	Name     string
	Names    []string
	Count    int64
	Big      uint64
	Share    float64
	For      time.Duration
	Min, Max time.Duration
	Rest     string
}

var keys = []string{"name", "names", "count", "big", "share", "for", "range", "rest"}

// read reads a mapping that has some of the keys.
func read(s Source) (v values, err error) {
	r, root, err := Read(s)
	if err != nil {
		return v, err
	}
	f := r.Fields(root, "a thing", keys)
	f.Need("name")
	for _, key := range keys {
		value, ok := f.Get(key)
		if !ok {
			continue
		}
		switch key {
		case "name":
			v.Name = value.Text()
		case "names":
			v.Names = value.Texts()
		case "count":
			v.Count = value.Number(1, 9)
		case "big":
			v.Big = value.Unsigned()
		case "share":
			v.Share = value.Fraction()
		case "for":
			v.For = value.Duration()
		case "range":
			v.Min, v.Max = value.Durations()
		case "rest":
			v.Rest = value.Written()
		}
	}
	if r.Err != nil {
		return values{}, r.Err
	}
	return v, nil
}

func TestRead(t *testing.T) {
	for text, want := range map[string]values{
		"name: a": {Name: "a"},
		"{\"name\": \"a b\", \"names\": \"x\", \"count\": 9}":                {Name: "a b", Names: []string{"x"}, Count: 9},
		"name: |\n  a\n  b\nnames: [x, 'y']\nbig: 0xffffffffffffffff":        {Name: "a\nb\n", Names: []string{"x", "y"}, Big: 1<<64 - 1},
		"name: a # b\nshare: 1e-2\nfor: 1m30s\nrange: 1ms .. 2ms\nrest: 030": {Name: "a", Share: 0.01, For: 90 * time.Second, Min: time.Millisecond, Max: 2 * time.Millisecond, Rest: "030"},
		"name: &n a\nnames: [*n, b]\nrange: 5ms\nrest: \"q\"":                {Name: "a", Names: []string{"a", "b"}, Min: 5 * time.Millisecond, Max: 5 * time.Millisecond, Rest: "q"},
		"\uFEFFname: a\nrest: [x]":                                           {Name: "a"},
		"<<: {count: 3, for: 1s}\nname: a\ncount: 4":                         {Name: "a", Count: 4, For: time.Second},
		"%YAML 1.2\n---\nname: a\n":                                          {Name: "a"},
		"name: |\n a" + strings.Repeat("\r\n", 101):                          {Name: "a\n"},
		"name: |\n a" + strings.Repeat("\r", 101):                            {Name: "a\n"},
		"name: >\n" + strings.Repeat("\n", 100) + " a\n":                     {Name: strings.Repeat("\n", 100) + "a\n"},
		strings.Repeat("#\n", 9_999) + "name: a\n":                           {Name: "a"},
	} {
		if got, err := read(Source{File: "f", Text: []byte(text)}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f: the file is empty"},
		{"name: a\n---\nname: b", "f:2:1: found a second YAML document, want one in a file"},
		{"- a", "f:1:1: found a list, want a thing: a mapping with the keys name, names, count, big, share, for, range and rest"},
		{"nam: a", `f:1:1: unknown key "nam" in a thing; did you mean "name"?`},
		{"count: 1", `f:1:1: a thing lacks the key "name"`},
		{"name: a\nname: b", `f:2:1: duplicate key "name" in a thing; the first is at line 1, column 1`},
		{"{name: ü, name: b}", `f:1:11: duplicate key "name" in a thing; the first is at line 1, column 2`},
		{"name: 1", "f:1:7: name: found 1, want text"},
		{"name: *a", `f:1:7: unknown anchor "a"; there are none`},
		{"name: &name a\nrest: *nam", `f:2:7: unknown anchor "nam"; did you mean "name"?`},
		{"name: &a [*a]", `f:1:11: unknown anchor "a"; there are none`},
		{"name: !!str a", "f:1:7: name: found the tag !!str, want text"},
		{"name: a\nnames: []", "f:2:8: names: the list is empty"},
		{"name: a\nnames: [x, x]", "f:2:12: names: found x twice"},
		{"name: a\ncount: 10", "f:2:8: count: found 10, want a whole number from 1 to 9"},
		{"name: a\nbig: -1", "f:2:6: big: found -1, want a whole number, 0 or more, of at most 64 bits"},
		{"name: a\nshare: 0", "f:2:8: share: found 0, want a number above 0 and at most 1"},
		{"name: a\nfor: 1", "f:2:6: for: found 1, want a duration such as 200us, 1.5ms or 1m"},
		{"name: a\nrange: 2ms..1ms", "f:2:8: range: found the range 2ms..1ms, want the smaller bound first: 1ms..2ms"},
		{"name: a\n\tfor: 1s", `f:2:1: not YAML: found character '\t' that cannot start any token`},
		{"name: \x00", "f:1:7: found the character U+0000, want printable text"},
		{"name: \xff", "f:1:7: found the byte 0xff, want UTF-8 text"},
		{"name: " + strings.Repeat("[", 1001), "f:1:1007: nested too deeply for a file of this kind"},
		{strings.Repeat(" ", 257) + "name: a", "f:1:257: nested too deeply for a file of this kind"},
		{"name: a\r" + strings.Repeat(" ", 257) + "b", "f:2:257: nested too deeply for a file of this kind"},
		{"name: |\n" + strings.Repeat("\n", 101), "f:102:1: found more than 100 empty lines in a row"},
		{"name: >\n" + strings.Repeat("\n", 101), "f:102:1: found more than 100 empty lines in a row"},
		{"name: |\r\n" + strings.Repeat("\r\n", 101), "f:102:2: found more than 100 empty lines in a row"},
		{"name: |\r" + strings.Repeat("\r", 101) + "x", "f:102:1: found more than 100 empty lines in a row"},
		{"name: |\n a\n" + strings.Repeat(" \n\r\t\r\n", 34), "f:103:1: found more than 100 empty lines in a row"},
		{"name: |\n a" + strings.Repeat("\n", 200_000), "f:103:1: found more than 100 empty lines in a row"},
		{strings.Repeat("#\n", 10_000) + "name: a", "f:10001:1: found more than 10000 lines"},
		{strings.Repeat("#\r", 10_000) + "name: a", "f:10001:1: found more than 10000 lines"},
		{"names: {" + strings.Repeat("a,", 30_001), "f:1:60010: found more than 30000 commas"},
		{"name: &" + strings.Repeat("a", 120_000) + " x\nrest: *" + strings.Repeat("b", 120_000), `f:2:7: unknown anchor "` + strings.Repeat("b", 40) + `..."; want one of ` + strings.Repeat("a", 40) + "..."},
		{"name: " + strings.Repeat("a", 256<<10), "f: the file has 262150 bytes, want at most 262144"},
	} {
		_, err := read(Source{File: "f", Text: []byte(c.text)})
		var e *Error
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("%.60q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestPlaces: errors are where the source says that the user wrote it, those of the parser
// and those within a message included.
func TestPlaces(t *testing.T) {
	place := func(line, column int) (int, int) { return line + 10, column + 20 }
	for text, want := range map[string]string{
		"name: 1":          "f:11:27: name: found 1, want text",
		"name: a\nname: b": `f:12:21: duplicate key "name" in a thing; the first is at line 11, column 21`,
		"name: @":          "f:11:27: not YAML: '@' is a reserved character",
		"name: a\n---\na":  "f:12:21: found a second YAML document, want one in a file",
		"name: \xff":       "f:11:27: found the byte 0xff, want UTF-8 text",
		"":                 "f: the file is empty",
	} {
		if _, err := read(Source{File: "f", Text: []byte(text), Place: place}); err == nil || err.Error() != want {
			t.Errorf("%q:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestTree: a tree has the values of its node, those of anchors and merges included, with their places.
func TestTree(t *testing.T) {
	const text = "a: &a {n: 0x10, f: 1.5, on: true, none: ~, tag: !!str x, nan: .nan}\nlist: [*a, |\n  block\n  ]\nmerged: {<<: *a, n: -1}\n7: [18446744073709551615]\nraw: [{x: 1, x: 2}]\n"
	r, root, err := Read(Source{File: "f", Text: []byte(strings.ReplaceAll(text, "|\n  block\n  ", "block"))})
	if err != nil {
		t.Fatal(err)
	}
	tree := r.Tree(root, "a thing", map[string]string{"list": "an element", "raw": "a raw one"}, "raw")
	a := map[string]any{"n": uint64(16), "f": 1.5, "on": true, "none": nil, "tag": nil, "nan": nil}
	merged := maps.Clone(a)
	merged["n"] = int64(-1)
	want := map[string]any{"a": a, "list": []any{a, "block"}, "merged": merged, "7": []any{uint64(1<<64 - 1)}, "raw": []any{nil}}
	if got := tree.Plain(); !reflect.DeepEqual(got, want) || r.Err != nil {
		t.Fatalf("%v\ngot  %#v\nwant %#v", r.Err, got, want)
	}
	if line, column := tree.At([]string{"merged", "n"}).Place(); line != 3 || column != 21 {
		t.Errorf("n is at %d:%d", line, column)
	}
	if at := tree.At([]string{"list", "1", "none"}); at.What != "an element" || at.Text() != "block" {
		t.Errorf("found %s %q", at.What, at.Text())
	}
	tree.At([]string{"raw", "0"}).Mapping([]string{"x"}, func(*Fields) {})
	if r.Err == nil || r.Err.Error() != `f:5:14: duplicate key "x" in a raw one; the first is at line 5, column 8` {
		t.Error(r.Err)
	}
}

// TestTreeBounded: what aliases and merges make of a small text has an end.
func TestTreeBounded(t *testing.T) {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 20 {
		text += fmt.Sprintf("a%d: &a%[1]d [%s]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d,", i), 10))
	}
	r, root, err := Read(Source{File: "f", Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Tree(root, "a thing", nil, ""); r.Err == nil || !strings.HasSuffix(r.Err.Problem, "aliases and merges make more than 262144 values of the text, want fewer") {
		t.Error(r.Err)
	}
}

// TestInherit: what a mapping does not have, it has of its base; what of that does not fit is
// an error where the base is named.
func TestInherit(t *testing.T) {
	r, root, err := Read(Source{File: "f", Text: []byte("- {name: a, count: 3, for: 1s, deep: {x: [1], y: 2}, list: [{x: 1}]}\n- {name: b, base: a, deep: {y: 3}}\n- {name: c}")})
	if err != nil {
		t.Fatal(err)
	}
	things := r.Tree(root, "things", map[string]string{"things": "a thing", "list": "a raw one"}, "list").Items
	base, tree := things[0], things[1]
	tree.Inherit(base, tree.Fields["base"], []string{"for", "base"}, []string{"deep"})
	want := map[string]any{"name": "b", "base": "a", "count": uint64(3), "deep": map[string]any{"x": []any{uint64(1)}, "y": uint64(3)}, "list": []any{nil}}
	if got := tree.Plain(); !reflect.DeepEqual(got, want) {
		t.Fatalf("inherited wrongly: %v", got)
	}
	const there = "f:2:19: what comes from there does not fit: "
	for _, c := range []struct {
		fail func()
		want string
	}{
		{func() { tree.Fields["count"].Fail("found %d", 3) }, there + "found 3"},
		{func() { tree.Fields["count"].FailKey("a key") }, there + "a key"},
		{func() { tree.At([]string{"deep", "x", "0"}).Fail("x") }, there + "x"},
		{func() { tree.At([]string{"list", "0"}).Mapping([]string{"y"}, func(*Fields) {}) }, there + `unknown key "x" in a raw one; did you mean "y"?`},
		{func() { tree.At([]string{"deep", "y"}).Fail("y") }, "f:2:32: y"},
		{func() { tree.Fields["name"].FailKey("name") }, "f:2:4: name"},
		{func() { base.Fields["count"].Fail("its own") }, "f:1:20: its own"},
	} {
		r.Err = nil
		if c.fail(); r.Err == nil || r.Err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", r.Err, c.want)
		}
	}
}

// FuzzRead: every text is read or refused with one line that names a place in it, and the whole tree of what is read
// can be made.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"a: |\n\n\n b\n\n\n", "a: >-\r\n\r\n b\r\n", "a: |+\r\r b\r", "a: |\n \n\t\n b", "'a': \"b\n\n c\"", "a: b\n\n  c # d\n#\n#", "---\n---\n--- a\n...", "- - - a\n  - b\n-\n-",
		"{a,b,c: [d,e],,}", "? a\n: b\n? c", "<<: &x {a: b}\nc: *x", "- &a x\n- *b", "- |\n\n- >\n\n- |2\n   x\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, root, err := Read(Source{File: "f", Text: []byte(text)})
		if err == nil {
			r.Tree(root, "a thing", nil, "")
			if err = r.Err; r.Err == nil {
				return
			}
		}
		var e *Error
		if !errors.As(err, &e) || strings.ContainsAny(err.Error(), "\n\r") || e.Line < 0 || e.Line > 1+strings.Count(text, "\n")+strings.Count(text, "\r") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
