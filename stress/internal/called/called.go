package called

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// Command returns the words of the command that runs this program again.
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

// MainPackage returns the package of this program as an argument of the go command in the
// root of its module, or its import path.
func MainPackage() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "."
	}
	return within(info.Path, info.Main.Path)
}

// within returns a package of a module as an argument of the go command there.
func within(pkg, module string) string {
	switch rest, ok := strings.CutPrefix(pkg, module+"/"); {
	case pkg == module || pkg == "" || pkg == "command-line-arguments":
		return "."
	case ok:
		return "./" + rest
	}
	return pkg
}

// builtByGoRun reports whether go run has built the binary: it is in a temporary
// folder go-build..., which is removed afterwards, or in the build cache.
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

// below returns the path relative to a folder, and whether it is below the folder.
func below(dir, path string) (string, bool) {
	if dir == "" || !filepath.IsAbs(path) {
		return "", false
	}
	rest, err := filepath.Rel(dir, path)
	return rest, err == nil && filepath.IsLocal(rest)
}
