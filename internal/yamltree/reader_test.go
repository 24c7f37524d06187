package yamltree

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

type values struct {
	Name     string
	Names    []string
	Count    int64
	Big      uint64
	Share    float64
	On       bool
	For      time.Duration
	Min, Max time.Duration
	Rest     string
}

var keys = []string{"name", "names", "count", "big", "share", "on", "for", "range", "rest"}

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
		case "on":
			v.On = r.Bool(f.Value(key), key)
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
		"{\"name\": \"a b\", \"names\": \"x\", \"count\": 9, \"on\": true}":  {Name: "a b", Names: []string{"x"}, Count: 9, On: true},
		"name: |\n  a\n  b\nnames: [x, 'y']\nbig: 0xffffffffffffffff":        {Name: "a\nb\n", Names: []string{"x", "y"}, Big: 1<<64 - 1},
		"name: a # b\nshare: 1e-2\nfor: 1m30s\nrange: 1ms .. 2ms\nrest: 030": {Name: "a", Share: 0.01, For: 90 * time.Second, Min: time.Millisecond, Max: 2 * time.Millisecond, Rest: "030"},
		"name: &n a\nnames: [*n, b]\nrange: 5ms\nrest: \"q\"":                {Name: "a", Names: []string{"a", "b"}, Min: 5 * time.Millisecond, Max: 5 * time.Millisecond, Rest: "q"},
		"\uFEFFname: a\nrest: [x]":                                           {Name: "a"},
		"<<: {count: 3, on: false}\nname: a\ncount: 4":                       {Name: "a", Count: 4},
		"%YAML 1.2\n---\nname: a\n":                                          {Name: "a"},
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
		{"- a", "f:1:1: found a list, want a thing: a mapping with the keys name, names, count, big, share, on, for, range and rest"},
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
		{"name: a\non: yes", `f:2:5: on: found the text "yes", want true or false`},
		{"name: a\nfor: 1", "f:2:6: for: found 1, want a duration such as 200us, 1.5ms or 1m"},
		{"name: a\nrange: 2ms..1ms", "f:2:8: range: found the range 2ms..1ms, want the smaller bound first: 1ms..2ms"},
		{"name: a\n\tfor: 1s", `f:2:1: not YAML: found character '\t' that cannot start any token`},
		{"name: \x00", "f:1:7: found the character U+0000, want printable text"},
		{"name: \xff", "f:1:7: found the byte 0xff, want UTF-8 text"},
		{"name: " + strings.Repeat("[", 1001), "f:1:1007: nested too deeply for a file of this kind"},
		{strings.Repeat(" ", 257) + "name: a", "f:1:257: nested too deeply for a file of this kind"},
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

// TestInherit: what a mapping does not have, it has of its base; what of that does not fit is
// an error where the base is named.
func TestInherit(t *testing.T) {
	r, root, err := Read(Source{File: "f", Text: []byte("- {name: a, count: 3, for: 1s}\n- {name: b, base: a}\n- {name: c}")})
	if err != nil {
		t.Fatal(err)
	}
	with := append([]string{"base"}, keys...)
	elements := r.Elements(root, "things")
	base := r.Fields(elements[0], "a thing", with)
	f := r.Fields(elements[1], "a thing", with)
	f.Inherit(base, f.Value("base"), []string{"name", "count"}, nil)
	count, _ := f.Get("count")
	name, _ := f.Get("name")
	if f.Has("for") || count.Number(1, 9) != 3 || name.Text() != "b" || r.Err != nil {
		t.Fatal("inherited wrongly: ", r.Err)
	}
	if count.Number(4, 9); r.Err == nil || r.Err.Error() != "f:2:19: what comes from there does not fit: count: found 3, want a whole number from 4 to 9" {
		t.Error(r.Err)
	}
	r.Err = nil
	r.Own()
	if count.Number(4, 9); r.Err == nil || r.Err.Line != 1 {
		t.Error(r.Err)
	}
}
