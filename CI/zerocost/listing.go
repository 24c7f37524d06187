package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A listing is the compiler's output for a package, by symbol.
type listing struct {
	code    map[string][][]string // the instructions of a function, and notes to the linker; the size of the package's data
	inlined map[string]string     // "" if the function can be inlined, or the compiler's reason
}

// listingFlags make the compiler print a listing.
const listingFlags = "-S -m=2"

var (
	packageLine     = regexp.MustCompile(`^# (\S+)`)
	symbolLine      = regexp.MustCompile(`^(\S.*) S([A-Z]+) .*?(size=\d+)`)
	instructionLine = regexp.MustCompile(`^\t0x[0-9a-f]+ (\d+) \([^\t]*\)\t(.*)$`)
	// noteLine is a relocation of no length: a note to the linker. Its position means nothing.
	noteLine   = regexp.MustCompile(`^\trel \d+\+0 t=(R_USE.*)$`)
	inlineLine = regexp.MustCompile(`^\S+:\d+(?::\d+)?: (?:can inline (.+?) with cost \d+ as: .*|cannot inline (.+?): (.*))$`)

	// noop matches lines that are not real instructions: the compiler marks inlined calls that left no
	// instruction with them, and aligns loops.
	noop = regexp.MustCompile(`^(NOP\w*|PCALIGN|PCDATA|FUNCDATA)(\t|$)|^XCHGL\tAX, AX$|^HINT\t\$0$`)
	// branch ends in the program counter of its target.
	branch = regexp.MustCompile(`^([A-Z]\w*\t(?:.*, )?)(\d+)$`)
	// numbered names depend on how many of their kind there are: constants in memory, and variables on
	// the stack, which the offset distinguishes.
	numbered = regexp.MustCompile(`\.\.stmp_\d+|[^\s,]*\.\.autotmp_\d+|[^\s,]+([+-]\d+\((?:SP|FP)\))`)
	// inlineHash ends the name of a closure that is inlined with its function, since Go 1.27. It depends on
	// the lines of the file.
	inlineHash = regexp.MustCompile(`#[0-9A-Za-z+/]{11}=#`)
)

// parseListing parses the compiler's output.
func parseListing(out []byte) *listing {
	l := &listing{map[string][][]string{}, map[string]string{}}
	pkg, symbol := "", ""
	var f function
	end := func() {
		if symbol != "" {
			l.code[symbol] = append(l.code[symbol], f.lines())
		}
		symbol, f = "", function{next: map[string]int{}}
	}
	hashed := map[string]bool{} // symbols that had a hash: several may have the same name without it
	for printed := range strings.Lines(string(out)) {
		printed = strings.TrimSuffix(printed, "\n")
		line := inlineHash.ReplaceAllString(printed, "")
		if m := instructionLine.FindStringSubmatch(line); m != nil {
			f.add(m[1], m[2])
		} else if m := noteLine.FindStringSubmatch(line); m != nil {
			f.notes = append(f.notes, m[1])
		} else if !strings.HasPrefix(line, "\t") {
			end()
			if m := symbolLine.FindStringSubmatch(line); m != nil && m[2] == "TEXT" {
				symbol = m[1]
			} else if m != nil && strings.HasPrefix(m[1], pkg+".") {
				symbol, f.instructions = numbered.ReplaceAllString(m[1], ""), []string{m[2] + " " + m[3]}
			} else if m := inlineLine.FindStringSubmatch(line); m != nil {
				// A closure that is inlined in two places is noted twice; the last note counts.
				if !strings.HasPrefix(m[3], "recursive") {
					l.inlined[pkg+"."+m[1]+m[2]] = m[3]
				}
			} else if m := packageLine.FindStringSubmatch(line); m != nil {
				pkg = linkName(m[1])
			}
			if line != printed {
				hashed[symbol] = true
			}
		}
	}
	end()
	for symbol := range hashed { // the order of their hashes means nothing
		slices.SortFunc(l.code[symbol], slices.Compare)
	}
	return l
}

// linkName returns an import path as it appears in symbols: dots in its last element are escaped.
func linkName(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(path[slash:], ".", "%2e")
}

// A function is the code of one function while it is read.
type function struct {
	instructions []string
	next         map[string]int // program counter -> number of the instruction there
	notes        []string
}

func (f *function) add(pc, text string) {
	f.next[pc] = len(f.instructions)
	if !noop.MatchString(text) {
		f.instructions = append(f.instructions, numbered.ReplaceAllString(text, "$1"))
	}
}

// lines returns the code without addresses: a branch names the number of an instruction.
func (f *function) lines() []string {
	for i, text := range f.instructions {
		if m := branch.FindStringSubmatch(text); m != nil {
			pc, _ := strconv.Atoi(m[2]) // digits
			if to, ok := f.next[fmt.Sprintf("%05d", pc)]; ok {
				f.instructions[i] = m[1] + "-> " + strconv.Itoa(to)
			}
		}
	}
	slices.Sort(f.notes)
	return append(f.instructions, f.notes...)
}

// compareListings reports the functions whose code the hooks changed, and those that the hooks made too
// large or small enough to inline: their callers in other packages differ in consequence.
func compareListings(with, without *listing) (findings []finding) {
	for _, name := range union(with.inlined, without.inlined) {
		a, inA := with.inlined[name]
		b, inB := without.inlined[name]
		switch {
		case inA && inB && a != "" && b == "":
			findings = append(findings, finding{name, "can be inlined only without the hooks: " + a})
		case inA && inB && a == "" && b != "":
			findings = append(findings, finding{name, "can be inlined only with the hooks: without, " + b})
		}
	}
	for _, name := range union(with.code, without.code) {
		a, b := with.code[name], without.code[name]
		switch {
		case len(a) > len(b):
			findings = append(findings, finding{name, "exists only with the hooks"})
		case len(a) < len(b):
			findings = append(findings, finding{name, "exists only without the hooks"})
		default:
			for i := range a {
				if !slices.Equal(a[i], b[i]) {
					findings = append(findings, finding{name, difference(a[i], b[i])})
					break
				}
			}
		}
	}
	return findings
}

// difference describes the first difference between two bodies.
func difference(with, without []string) string {
	i := 0
	for i < len(with) && i < len(without) && with[i] == without[i] {
		i++
	}
	at := func(body []string) string {
		if i == len(body) {
			return "the end"
		}
		return strings.ReplaceAll(body[i], "\t", " ")
	}
	return fmt.Sprintf("%d instructions with the hooks, %d without; instruction %d is %s, without %s",
		len(with), len(without), i, at(with), at(without))
}

// union returns the keys of both maps, sorted.
func union[V any](a, b map[string]V) []string {
	all := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// keep drops all code but that of some functions of the source.
func (l *listing) keep(functions []string) {
	maps.DeleteFunc(l.code, func(symbol string, _ [][]string) bool {
		return !slices.ContainsFunc(functions, func(fn string) bool { return isOf(symbol, fn) })
	})
}

// hasCode reports whether there is code of a function of the source.
func (l *listing) hasCode(fn string) bool {
	for symbol := range l.code {
		if isOf(symbol, fn) {
			return true
		}
	}
	return false
}

// isOf reports whether a symbol belongs to a function of the source, to its instance, or to a
// closure in it.
func isOf(symbol, fn string) bool {
	rest, ok := strings.CutPrefix(withoutTypes(symbol), fn)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '-')
}

// withoutTypes removes the type arguments from a symbol.
func withoutTypes(symbol string) string {
	depth := 0
	return strings.Map(func(r rune) rune {
		if r == '[' {
			depth++
		}
		outside := depth == 0
		if r == ']' {
			depth--
		}
		if outside {
			return r
		}
		return -1
	}, symbol)
}
