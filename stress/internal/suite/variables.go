package suite

import (
	"cmp"
	"debug/elf"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
)

// registries lists variables of the standard library, or packages for all their variables, through which one execution
// may affect another. Most of the others are caches and counters, which change in almost every execution.
var registries = []string{
	"database/sql", "encoding/gob", "expvar", "flag", "image", "log", "log/slog", "mime", "net/http.DefaultClient",
	"net/http.DefaultServeMux", "net/http.DefaultTransport", "net/http.defaultServeMux", "os/signal", "runtime.sig",
}

// listVariables writes the list of the package-level variables of a test binary for its workers, and returns its path.
// Of the standard library the list has only the registries. If the symbols cannot be read, the list is empty.
func (b *builder) listVariables(p *program) string {
	f, err := elf.Open(p.binary)
	if err != nil {
		return os.DevNull
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return os.DevNull
	}
	var v wire.PackageVariables
	standard := map[string]bool{}
	var all []wire.Extent // all named symbols
	for _, s := range symbols {
		e := wire.Extent{At: s.Value, Size: s.Size}
		if s.Name == wire.Landmark {
			v.Landmark = s.Value
		}
		if s.Size == 0 || !isVariable(f, &s) {
			continue
		}
		all = append(all, e)
		if !isCompilers(s.Name) && (isRegistry(s.Name) || !b.isStandard(packageOf(s.Name), standard)) {
			v.Named = append(v.Named, e)
		}
	}
	if v.Landmark == 0 {
		return os.DevNull
	}
	byAddress := func(a, b wire.Extent) int { return cmp.Compare(a.At, b.At) }
	slices.SortFunc(v.Named, byAddress)
	slices.SortFunc(all, byAddress)
	for _, s := range f.Sections {
		if isOfVariables(s) {
			v.Unnamed = append(v.Unnamed, between(all, s.Addr, s.Addr+s.Size)...)
		}
	}
	slices.SortFunc(v.Unnamed, byAddress)
	path := filepath.Join(p.tmp, "variables")
	if os.WriteFile(path, v.Encode(), 0o600) != nil {
		return os.DevNull
	}
	return path
}

// between returns the gaps between the extents in all, which are ascending, from one address to another.
func between(all []wire.Extent, from, to uint64) (gaps []wire.Extent) {
	for _, e := range all {
		if e.At >= to {
			break
		}
		if e.At > from {
			gaps = append(gaps, wire.Extent{At: from, Size: e.At - from})
		}
		from = max(from, e.At+e.Size)
	}
	if from < to {
		gaps = append(gaps, wire.Extent{At: from, Size: to - from})
	}
	return gaps
}

// isVariable reports whether a symbol is in a section of variables, which is writable.
func isVariable(f *elf.File, s *elf.Symbol) bool {
	if elf.ST_TYPE(s.Info) != elf.STT_OBJECT || int(s.Section) >= len(f.Sections) {
		return false
	}
	return isOfVariables(f.Sections[s.Section])
}

func isOfVariables(s *elf.Section) bool {
	switch s.Name {
	case ".data", ".bss", ".noptrdata", ".noptrbss":
		return true
	}
	return false
}

// packageOf returns the package path of a symbol, or "" if it has none.
func packageOf(symbol string) string {
	slash := strings.LastIndexByte(symbol, '/') + 1
	dot := strings.IndexByte(symbol[slash:], '.')
	if dot < 0 {
		return ""
	}
	path, err := url.PathUnescape(symbol[:slash+dot]) // the linker writes a dot of the last element as %2e
	if err != nil {
		return ""
	}
	return path
}

// isCompilers reports whether a variable is a cache of the compiler for the types that interfaces hold.
func isCompilers(symbol string) bool {
	return strings.Contains(symbol, "..typeAssert.") || strings.Contains(symbol, "..interfaceSwitch.")
}

func isRegistry(symbol string) bool {
	return slices.Contains(registries, symbol) || slices.Contains(registries, packageOf(symbol))
}

// isStandard reports whether a package is in the standard library, which includes the library of the race detector, or
// is the main package, which the go command has written. known caches the results.
func (b *builder) isStandard(path string, known map[string]bool) bool {
	if domain, _, _ := strings.Cut(path, "/"); strings.Contains(domain, ".") {
		return false
	}
	is, ok := known[path]
	if !ok {
		files, _ := filepath.Glob(filepath.Join(b.overlay.GOROOT, "src", filepath.FromSlash(path), "*.go"))
		is = path == "" || path == "main" || strings.HasPrefix(path, "internal/rouse") || strings.HasPrefix(path, "runtime/") || len(files) > 0
		known[path] = is
	}
	return is
}
