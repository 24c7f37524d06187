package goroot

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// LinkFiles are the files below GOROOT/src in which functions of the runtime are renamed that other
// packages reach by their link names: nanotime becomes rouseNanotime where it is declared and wherever
// the standard library calls it. The added file runtime/rouse_linkname.go has functions of the old names,
// for everybody else.
//
// On linux/amd64 gettimeofday of package syscall is assembly, which golang.org/x/sys jumps to.
var LinkFiles = []string{"runtime/*.go", "runtime/*.s", "internal/poll/fd_poll_runtime.go", "syscall/syscall_linux_amd64.go", "syscall/asm_linux_amd64.s"}

// linked are the functions that are renamed.
var linked = []string{"cheaprand", "cheaprand64", "cheaprandn", "cputicks", "nanotime", "procPin"}

// linkWrappers is the file with the functions of the old names.
const linkWrappers = "runtime/rouse_linkname.go"

var (
	linkedCall = regexp.MustCompile(`(^|[^.\w])(` + strings.Join(linked, "|") + `)\(`)
	linkedAsm  = regexp.MustCompile(`runtime·cputicks\b`)
	linkedPull = regexp.MustCompile(`(?m)^(//go:linkname \w+ runtime\.)nanotime$`)
	linkedNow  = regexp.MustCompile(`(?m)^(//go:linkname time_now )time\.now$`)
)

// linkFiles returns the names of LinkFiles.
func (t *tree) linkFiles() (names []string) {
	for _, pattern := range LinkFiles {
		names = append(names, t.match(pattern)...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// linknames renames functions in LinkFiles, of which texts has those that are patched.
func (t *tree) linknames(texts map[string]string) {
	declared := map[string]bool{}
	for _, name := range t.linkFiles() {
		text, ok := texts[name]
		if !ok {
			f := t.file(name)
			if f == nil {
				continue
			}
			text = strings.Join(f.lines, "\n")
		}
		renamed := relinked(name, text)
		if renamed != text {
			texts[name] = renamed
		}
		for _, l := range linked {
			declared[l] = declared[l] || strings.Contains(renamed, "\nfunc "+relink(l)+"(")
		}
		declared["gettimeofday"] = declared["gettimeofday"] || strings.Contains(renamed, "\nfunc rouseGettimeofday(")
		declared["time.now"] = declared["time.now"] || strings.Contains(renamed, " runtime.rouseTimeNow\n")
	}
	for _, l := range append(slices.Clone(linked), "time.now", "gettimeofday") {
		if !declared[l] {
			t.missing = append(t.missing, "runtime and syscall: no function "+l)
		}
	}
}

// relink returns the name that a function gets.
func relink(name string) string { return "rouse" + strings.ToUpper(name[:1]) + name[1:] }

// relinked returns a file with the functions renamed.
func relinked(name, text string) string {
	switch {
	case name == linkWrappers, strings.HasPrefix(name, "syscall/rouse"):
		return text
	case path.Dir(name) == "syscall":
		text = strings.Replace(text, "TEXT ·gettimeofday(SB)", "TEXT ·rouseGettimeofday(SB)", 1)
		text = strings.Replace(text, "\n//go:linkname gettimeofday\n", "\n//\n", 1) // since Go 1.27: that of the old name has it
		return strings.Replace(text, "\nfunc gettimeofday(", "\nfunc rouseGettimeofday(", 1)
	case path.Ext(name) == ".s":
		return linkedAsm.ReplaceAllString(strings.ReplaceAll(text, "time·now", "runtime·rouseTimeNow"), "runtime·rouseCputicks")
	case path.Dir(name) != "runtime":
		return linkedPull.ReplaceAllString(text, "${1}rouseNanotime")
	}
	text = linkedNow.ReplaceAllString(text, "${1}runtime.rouseTimeNow")
	return linkedCall.ReplaceAllStringFunc(text, func(call string) string {
		before := strings.TrimRightFunc(call[:len(call)-1], func(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' })
		return before + relink(call[len(before):])
	})
}
