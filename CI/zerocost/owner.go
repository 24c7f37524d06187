package main

import "strings"

// owner finds the package and the function of the source that a symbol belongs
// to: closures, wrappers and instances belong to the function they come from.
func (p *proof) owner(symbol string) (*verdict, string) {
	for _, v := range p.report.packages {
		if rest, ok := strings.CutPrefix(symbol, linkName(v.path)+"."); ok {
			return v, ownerIn(v.stripped.funcs, rest)
		}
	}
	return nil, ""
}

// linkName escapes an import path as the linker does: dots in its last element.
func linkName(path string) string {
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash] + strings.ReplaceAll(path[slash:], ".", "%2e")
}

// ownerIn returns the longest of the names that symbol starts with, type arguments
// aside.
func ownerIn(names []string, symbol string) string {
	plain := dropTypeArgs(symbol)
	best := ""
	for _, name := range names {
		rest, ok := strings.CutPrefix(plain, name)
		if ok && len(name) > len(best) && (rest == "" || strings.ContainsRune(".-", rune(rest[0]))) {
			best = name
		}
	}
	if best == "" {
		return plain
	}
	return best
}

func dropTypeArgs(symbol string) string {
	var b strings.Builder
	depth := 0
	for _, r := range symbol {
		if r == '[' {
			depth++
		}
		if depth == 0 {
			b.WriteRune(r)
		}
		if r == ']' {
			depth--
		}
	}
	return b.String()
}
