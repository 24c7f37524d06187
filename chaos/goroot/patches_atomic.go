package goroot

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// AtomicFiles are the files below GOROOT/src in which the functions of sync/atomic are renamed: Add
// becomes rAdd where it is declared and wherever assembly names it. The added file
// sync/atomic/rouse.go has functions of the old names that stop at a point first.
// "*" stands for each architecture.
var AtomicFiles = []string{
	"sync/atomic/doc.go", "sync/atomic/doc_64.go", "sync/atomic/doc_32.go", "sync/atomic/asm.s",
	"runtime/atomic_pointer.go", "runtime/race.go", "runtime/race_*.s",
}

var (
	atomicDecl = regexp.MustCompile(`^func ([A-Z]\w*)\(([^)]*)\)( \(.*\)| \w+)?$`)
	atomicAsm  = regexp.MustCompile(`(TEXT|JMP)(\s+)(sync∕atomic|)·([A-Z])`)
	atomicStd  = regexp.MustCompile(`^(//go:linknamestd )([A-Z]\w*)$`) // since Go 1.27
	atomicLink = regexp.MustCompile(`^(//go:linkname \w+ sync/atomic\.)([A-Z])`)
)

// atomics renames the functions of sync/atomic and returns the file that wraps them.
func (t *tree) atomics() (wrappers string) {
	var w strings.Builder
	w.WriteString("package atomic\n\nimport (\n\t\"internal/rouse\"\n\t\"unsafe\"\n)\n")
	for _, pattern := range AtomicFiles {
		for _, name := range t.match(pattern) {
			f := t.file(name)
			if f == nil {
				continue
			}
			renamed := 0
			for i, line := range f.lines {
				text := line
				switch {
				case strings.HasPrefix(name, "sync/atomic/doc"):
					text = atomicStd.ReplaceAllString(line, "${1}r$2")
					if m := atomicDecl.FindStringSubmatch(line); m != nil {
						text = strings.Replace(line, "func ", "func r", 1)
						if name != "sync/atomic/doc_32.go" { // the same functions as in doc_64.go
							w.WriteString(wrapper(m[1], m[2], m[3]))
						}
					}
				case path.Ext(name) == ".go":
					text = atomicLink.ReplaceAllString(line, "${1}r$2")
				case name == "sync/atomic/asm.s" || strings.Contains(line, "sync∕atomic·"):
					text = atomicAsm.ReplaceAllString(line, "$1$2$3·r$4")
				}
				if text != line {
					f.edit(i).replace = &text
					renamed++
				}
			}
			if renamed == 0 {
				t.missing = append(t.missing, name+": no function of sync/atomic")
			}
		}
	}
	return w.String()
}

// wrapper returns a function of sync/atomic that is a point around the renamed one.
func wrapper(name, params, result string) string {
	op := "RMW"
	switch {
	case strings.HasPrefix(name, "Load"):
		op = "Load"
	case strings.HasPrefix(name, "Store"):
		op = "Store"
	case strings.HasPrefix(name, "CompareAndSwap"):
		op = "CAS"
	}
	var args []string
	for _, p := range strings.Split(params, ",") {
		args = append(args, strings.Fields(p)[0])
	}
	call := fmt.Sprintf("r%s(%s)", name, strings.Join(args, ", "))
	return strings.NewReplacer("NAME", name, "PARAMS", params, "RESULT", result, "CALL", call).Replace(wrappers[op])
}

// wrappers are the texts of the functions, by the operation.
var wrappers = map[string]string{
	"Load": `
func NAME(PARAMS)RESULT {
	if rouse.On != 0 {
		rouse.Point(rouse.Load, uintptr(unsafe.Pointer(addr)))
	}
	return CALL
}
`,
	"Store": `
func NAME(PARAMS)RESULT {
	if rouse.On == 0 {
		CALL
		return
	}
	rouse.Point(rouse.Store, uintptr(unsafe.Pointer(addr)))
	CALL
	rouse.After(rouse.Store, uintptr(unsafe.Pointer(addr)))
}
`,
	"RMW": `
func NAME(PARAMS)RESULT {
	if rouse.On == 0 {
		return CALL
	}
	rouse.Point(rouse.RMW, uintptr(unsafe.Pointer(addr)))
	rouseResult := CALL
	rouse.After(rouse.RMW, uintptr(unsafe.Pointer(addr)))
	return rouseResult
}
`,
	"CAS": `
func NAME(PARAMS)RESULT {
	if rouse.On == 0 {
		return CALL
	}
	rouse.Point(rouse.CAS, uintptr(unsafe.Pointer(addr)))
	if !CALL {
		rouse.Failed()
		return false
	}
	rouse.After(rouse.CAS, uintptr(unsafe.Pointer(addr)))
	return true
}
`,
}
