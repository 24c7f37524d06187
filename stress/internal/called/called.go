package called

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// Command is the command by which this program can be called again, word by word.
func Command(race bool) []string {
	cache := os.Getenv("GOCACHE")
	if dir, err := os.UserCacheDir(); cache == "" && err == nil {
		cache = filepath.Join(dir, "go-build")
	}
	if !builtByGoRun(os.Args[0], cache, os.Getenv("GOTMPDIR"), os.TempDir()) {
		return os.Args[:1]
	}
	return goRun(race, MainPackage())
}

func goRun(race bool, pkg string) []string {
	if race {
		return []string{"go", "run", "-race", "-tags", "chaos", pkg}
	}
	return []string{"go", "run", "-tags", "chaos", pkg}
}

// MainPackage is the package of this program as the go command takes it in the root of
// its module, or its import path.
func MainPackage() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "."
	}
	return within(info.Path, info.Main.Path)
}

// within is a package of a module, as the go command takes it there.
func within(pkg, module string) string {
	switch rest, ok := strings.CutPrefix(pkg, module+"/"); {
	case pkg == module || pkg == "" || pkg == "command-line-arguments":
		return "."
	case ok:
		return "./" + rest
	}
	return pkg
}

// builtByGoRun reports whether the binary is one that go run has made for itself:
// in a folder go-build... for temporary files, which is gone afterwards, or in the
// build cache.
func builtByGoRun(binary, cache string, temporary ...string) bool {
	if _, ok := below(cache, binary); ok {
		return true
	}
	for _, dir := range temporary {
		if rest, ok := below(dir, binary); ok && strings.HasPrefix(rest, "go-build") {
			return true
		}
	}
	return false
}

// below returns the path from a folder to what is below it.
func below(dir, path string) (string, bool) {
	if dir == "" || !filepath.IsAbs(path) {
		return "", false
	}
	rest, err := filepath.Rel(dir, path)
	return rest, err == nil && filepath.IsLocal(rest)
}
