package command

import (
	"os"
	"path/filepath"
	"strings"
)

// Called is the command by which this program can be called again, word by word.
func Called(race bool) []string {
	cache := os.Getenv("GOCACHE")
	if dir, err := os.UserCacheDir(); cache == "" && err == nil {
		cache = filepath.Join(dir, "go-build")
	}
	if !builtByGoRun(os.Args[0], cache, os.Getenv("GOTMPDIR"), os.TempDir()) {
		return os.Args[:1]
	}
	return goRun(race)
}

func goRun(race bool) []string {
	if race {
		return []string{"go", "run", "-race", "-tags", "chaos", "./cmd/stress"}
	}
	return []string{"go", "run", "-tags", "chaos", "./cmd/stress"}
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
