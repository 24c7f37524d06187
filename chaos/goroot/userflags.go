package goroot

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/internal/atomicfile"
	"github.com/rouse-go/rouse/internal/input"
)

// flags are the user's build flags.
type flags struct {
	overlay string   // the file of -overlay
	gcflags []string // the values of -gcflags, of GOFLAGS first
	debug   bool     // Options.Debug
	modFile string   // the file of -modfile, which is in rest, too
	rest    []string // of the command line, without these
	folders []string // of the standard library
	modules []string // of the user's, below the names of such folders
	// byFolder: the pattern std does not match all of the standard library. The go command of Go 1.27 computes the
	// flags of a package that only tests import before it knows whose package it is.
	byFolder bool
}

// userFlags reads GOFLAGS and the build flags of the command line.
func userFlags(goflags string, build []string) (*flags, error) {
	f := new(flags)
	from, err := split(goflags)
	if err != nil {
		return nil, &FlagError{"GOFLAGS", err.Error()}
	}
	if err := f.read(from); err != nil {
		return nil, err
	}
	f.rest = nil // the go command reads GOFLAGS itself
	return f, f.read(build)
}

func (f *flags) read(args []string) error {
	for i := 0; i < len(args); i++ {
		flag, value, given := strings.Cut(args[i], "=")
		name := strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "-")
		if name == flag {
			name = "" // the value of the flag before it
		}
		if slices.Contains([]string{"overlay", "gcflags", "compiler"}, name) && !given {
			if i++; i == len(args) {
				return &FlagError{flag, "its value is missing"}
			}
			value = args[i]
		}
		switch name {
		case "modfile":
			if f.rest = append(f.rest, args[i]); !given && i+1 < len(args) {
				i++
				f.rest, value = append(f.rest, args[i]), args[i]
			}
			f.modFile = value
		case "overlay":
			f.overlay = value
		case "gcflags":
			f.gcflags = append(f.gcflags, value)
		case "compiler":
			if value != "gc" {
				return &FlagError{flag + " " + value, "only gc has the runtime that is patched"}
			}
		case "asan", "msan":
			return &FlagError{flag, "sanitizers do not go with the patches of sync/atomic"}
		default:
			f.rest = append(f.rest, args[i])
		}
	}
	return nil
}

// split splits GOFLAGS as the go command does: at blanks, with quotes around whole fields.
func split(s string) (fields []string, err error) {
	for {
		s = strings.TrimLeft(s, " \t\n\r")
		if s == "" {
			return fields, nil
		}
		if quote := s[0]; quote == '"' || quote == '\'' {
			field, rest, ok := strings.Cut(s[1:], string(quote))
			if !ok {
				return nil, errors.New("unterminated " + string(quote))
			}
			fields, s = append(fields, field), rest
			continue
		}
		end := strings.IndexAny(s, " \t\n\r")
		if end < 0 {
			end = len(s)
		}
		fields, s = append(fields, s[:end]), s[end:]
	}
}

// Functions of sync/atomic are calls, which the patches have made points, instead of intrinsics.
const noIntrinsics = "-d=ssa/intrinsics/off"

// unoptimised is for a debugger, which then finds all variables.
const unoptimised = "-N -l"

// compilerFlags returns the values of -gcflags, of which the last that matches a package wins. The
// user's code gets the user's flags and noIntrinsics; the standard library keeps its intrinsics.
func (f *flags) compilerFlags() []string {
	most := noIntrinsics
	if f.debug {
		most = unoptimised + " " + most
	}
	all := append([]string{"all=" + most}, f.standardFlags("", most)...)
	for _, value := range f.gcflags {
		value = strings.TrimSpace(value)
		pattern, own := "", value
		if value != "" && !strings.HasPrefix(value, "-") {
			pattern, own, _ = strings.Cut(value, "=")
			pattern += "="
		}
		switch {
		case pattern == "all=" || pattern == "...=":
			with := strings.TrimSpace(own + " " + noIntrinsics)
			all = append(all, pattern+with)
			all = append(all, f.standardFlags(own, with)...)
		case f.standard(pattern):
			all = append(all, value)
		default:
			all = append(all, pattern+strings.TrimSpace(own+" "+noIntrinsics))
		}
	}
	return all
}

// standardFlags returns the values for the standard library, where the user's code has those of others. The
// methods of sync/atomic, where they are not inlined, serve the user's code: method values, and calls through
// interfaces.
func (f *flags) standardFlags(own, others string) []string {
	all := []string{"std=" + own}
	if f.byFolder {
		for _, name := range f.folders {
			all = append(all, name+"/...="+own)
		}
		for _, path := range f.modules {
			all = append(all, path+"/...="+others)
		}
	}
	return append(all, "sync/atomic="+strings.TrimSpace(own+" "+noIntrinsics))
}

// standard reports whether a pattern of -gcflags is about the standard library.
func (f *flags) standard(pattern string) bool {
	pattern = strings.TrimRight(pattern, "=")
	first, _, _ := strings.Cut(pattern, "/")
	if first == "std" || first == "cmd" {
		return true
	}
	return slices.Contains(f.folders, first) && !slices.ContainsFunc(f.modules, func(path string) bool {
		return strings.HasPrefix(pattern+"/", path+"/")
	})
}

// A replacement is the content of a file for -overlay.
type replacement struct{ Replace map[string]string }

// UserOverlay returns what the user's own -overlay replaces, in GOFLAGS or the build flags of o: for each
// absolute path that of its content, or "" for a file that is hidden. The other flags are not checked.
func UserOverlay(ctx context.Context, o Options) (map[string]string, error) {
	e, err := environment(ctx, o)
	if err != nil {
		return nil, err
	}
	user, err := userFlags(e.GOFLAGS, o.BuildFlags)
	if err != nil || user.overlay == "" {
		return nil, err
	}
	base, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	return readUser(user.overlay, base)
}

// readUser reads the user's overlay, whose relative paths are below base.
func readUser(user, base string) (map[string]string, error) {
	abs := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(base, path)
	}
	var theirs replacement
	text, err := input.Read(abs(user), 64<<20)
	if err == nil {
		err = json.Unmarshal(text, &theirs)
	}
	if err != nil {
		return nil, &FlagError{"-overlay " + user, err.Error()}
	}
	all := map[string]string{}
	for from, to := range theirs.Replace {
		all[filepath.Clean(abs(from))] = abs(to)
	}
	return all, nil
}

// merge writes an overlay that joins that of dir and the user's, whose relative paths are below
// base. It refuses a path that both replace.
func merge(dir, user, base string) (string, error) {
	base, err := filepath.Abs(base)
	if err != nil {
		return "", err
	}
	theirs, err := readUser(user, base)
	if err != nil {
		return "", err
	}
	merged, err := ReadOverlay(filepath.Join(dir, overlayName))
	if err != nil {
		return "", err
	}
	for from, to := range theirs {
		if _, ok := merged[from]; ok {
			return "", &FlagError{"-overlay " + user, "it replaces " + from + ", which control has to patch"}
		}
		merged[from] = to
	}
	return writeMerged(dir, replacement{merged})
}

// ReadOverlay reads what a file for -overlay replaces.
func ReadOverlay(file string) (map[string]string, error) {
	var r replacement
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r.Replace, err
}

// WriteOverlay writes a file for -overlay.
func WriteOverlay(file string, replace map[string]string) error {
	text, err := json.MarshalIndent(replacement{replace}, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// writeMerged writes a merged overlay under a name that follows from its content.
func writeMerged(dir string, merged replacement) (string, error) {
	text, err := json.MarshalIndent(merged, "", "\t")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, fmt.Sprintf("merged-%x.json", sha256.Sum256(text)))
	if info, err := os.Stat(name); err == nil && info.Size() == int64(len(text)) {
		return name, nil
	}
	return name, atomicfile.Write(name, text)
}
