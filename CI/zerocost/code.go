package main

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// code is the machine code of one function as it stands in an object file.
type code struct {
	symbol string
	// instructions are all but the no-ops.
	instructions []instruction
	// noops counts the no-ops. The compiler puts one where it has inlined a call
	// that left no instruction on its line, and some to align branches: they depend
	// on lines and addresses, so they are counted and otherwise passed over.
	noops int
}

// An instruction is compared by key, and shown as text.
type instruction struct {
	// key is the bytes with the addresses in them still zero, and what is to be
	// written there; of a branch within the function, what it branches to. It does
	// not depend on where things will lie.
	key  string
	text string
}

func (c code) equal(d code) bool {
	return slices.EqualFunc(c.instructions, d.instructions, func(a, b instruction) bool { return a.key == b.key })
}

// disassemble reads the functions of an object file.
func (t *tree) disassemble(object string) ([]code, error) {
	out, err := t.goCommand("tool", "objdump", object)
	if err != nil {
		return nil, err
	}
	return parseObjdump(out)
}

// A listed is an instruction as go tool objdump lists it.
type listed struct {
	addr        uint64
	bytes       string
	text        string
	relocations string
	notes       []string // to the linker, whatever instruction they stand beside
}

func (l listed) noop() bool { return strings.HasPrefix(l.text, "NOP") && l.relocations == "" }

// parseObjdump reads what go tool objdump prints for an object file: per function
// a line "TEXT name(SB) file", then a line per instruction:
//
//	file:line <tab> address <tab> bytes <tab> text <tab> [range]relocation ...
func parseObjdump(out []byte) ([]code, error) {
	var functions []code
	var body []listed
	end := func() {
		if len(functions) > 0 {
			functions[len(functions)-1].assemble(body)
		}
		body = nil
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if m := textLine.FindStringSubmatch(line); m != nil {
			end()
			functions = append(functions, code{symbol: m[1]})
			continue
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		l, err := parseListed(line)
		if err != nil || len(functions) == 0 {
			return nil, fmt.Errorf("go tool objdump: line %d is not understood: %q", n, line)
		}
		body = append(body, l)
	}
	end()
	return functions, lines.Err()
}

var textLine = regexp.MustCompile(`^TEXT (.*)\(SB\)( .*)?$`)

func parseListed(line string) (listed, error) {
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == '\t' })
	if len(fields) < 4 {
		return listed{}, fmt.Errorf("%d fields", len(fields))
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	addr, err := strconv.ParseUint(fields[1], 0, 64)
	if err != nil {
		return listed{}, err
	}
	l := listed{addr: addr, bytes: fields[2], text: fields[3]}
	l.relocate(temporary.ReplaceAllString(strings.Join(fields[4:], " "), "..stmp_"))
	return l, nil
}

// relocate reads the relocations. One of no length, "[3:3]R_USEIFACE:...", is a note
// to the linker, and where in the function it stands means nothing.
func (l *listed) relocate(text string) {
	marks := append(mark.FindAllStringSubmatchIndex(text, -1), []int{len(text)})
	var kept []string
	for i, m := range marks[:len(marks)-1] {
		one := strings.TrimSpace(text[m[0]:marks[i+1][0]])
		if text[m[2]:m[3]] == text[m[4]:m[5]] {
			l.notes = append(l.notes, one[m[1]-m[0]:])
		} else {
			kept = append(kept, one)
		}
	}
	l.relocations = strings.Join(kept, " ")
}

// mark is the range of a relocation.
var mark = regexp.MustCompile(`\[(\d+):(\d+)\]`)

// temporary is the name of a constant that the compiler has laid down in memory.
// They are numbered, so one more or less renames the others.
var temporary = regexp.MustCompile(`\.\.stmp_\d+`)

// assemble makes the body of c.
func (c *code) assemble(body []listed) {
	ordinal := map[uint64]int{} // address -> number of the instruction that is next
	n := 0
	for _, l := range body {
		ordinal[l.addr] = n
		if !l.noop() {
			n++
		}
	}
	var notes []string
	for _, l := range body {
		notes = append(notes, l.notes...)
		if l.noop() {
			c.noops++
			continue
		}
		c.instructions = append(c.instructions, c.normal(l, ordinal))
	}
	slices.Sort(notes)
	for _, note := range notes { // behind the code, where they are compared as well
		c.instructions = append(c.instructions, instruction{key: note, text: note})
	}
}

// normal returns l without addresses. ordinal numbers the instructions by address.
func (c *code) normal(l listed, ordinal map[uint64]int) instruction {
	if op, ok := strings.CutSuffix(l.text, " "+c.symbol+"(SB)"); ok && l.relocations == "" {
		return instruction{key: op + " -> 0", text: op} // back to the beginning
	}
	if m := branchLine.FindStringSubmatch(l.text); m != nil {
		l.text = m[1]
		target, err := strconv.ParseUint(m[2], 0, 64)
		if to, ok := ordinal[target]; ok && err == nil && l.relocations == "" {
			return instruction{key: fmt.Sprintf("%s -> %d", m[1], to), text: m[1]}
		}
	}
	return instruction{
		key:  strings.TrimSpace(l.bytes + " " + l.relocations),
		text: strings.TrimSpace(l.text + " " + l.relocations),
	}
}

// branchLine is a branch or call to an address: amd64 and 386 call them J... and
// CALL, arm64 B..., CB... and TB...
var branchLine = regexp.MustCompile(`^((?:J|CALL|B|CB|TB).*?)[ ,]*(0x[0-9a-f]+)$`)

// A symbol is a line of go tool nm.
type symbol struct {
	name string
	kind string // T text, R read-only data, D data, B bss; lower case: not exported by the object
	size uint64
}

// symbols reads the symbol table of an executable.
func (t *tree) symbols(exe string) ([]symbol, error) {
	out, err := t.goCommand("tool", "nm", "-size", exe)
	if err != nil {
		return nil, err
	}
	return parseNM(out)
}

// parseNM reads lines of: address size kind name. An undefined symbol has neither
// address nor size, and is not in the binary.
func parseNM(out []byte) ([]symbol, error) {
	var symbols []symbol
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) > 0 && fields[0] == "U" {
			continue
		}
		if len(fields) < 4 {
			return nil, fmt.Errorf("go tool nm: a line is not understood: %q", line)
		}
		size, err := strconv.ParseUint(fields[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("go tool nm: a line has no size: %q", line)
		}
		symbols = append(symbols, symbol{name: strings.Join(fields[3:], " "), kind: fields[2], size: size})
	}
	return symbols, nil
}
