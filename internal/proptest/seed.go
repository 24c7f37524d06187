package proptest

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rouse-go/rouse/internal/shell"
)

const (
	seedFlag        = "chaos.seed"
	seedEnvironment = "CHAOS_SEED"
)

// A test binary with package chaos in it has the flag already, with the same meaning.
func init() {
	if flag.Lookup(seedFlag) == nil {
		flag.String(seedFlag, "", "seed of the property tests: decimal, or hexadecimal with 0x (default: $"+seedEnvironment+", or random)")
	}
}

// runSeed is the seed of this test binary, known once the flags are parsed.
var runSeed = sync.OnceValues(func() (uint64, error) {
	return chooseSeed(flag.Lookup(seedFlag).Value.String(), os.Getenv(seedEnvironment), rand.Uint64)
})

// chooseSeed returns the seed of the flag, or else of the environment, or else a random one.
func chooseSeed(fromFlag, fromEnvironment string, random func() uint64) (uint64, error) {
	switch {
	case fromFlag != "":
		return parseSeed("flag -"+seedFlag, fromFlag)
	case fromEnvironment != "":
		return parseSeed("environment variable "+seedEnvironment, fromEnvironment)
	}
	return random(), nil
}

func parseSeed(source, text string) (uint64, error) {
	digits, base := text, 10
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		digits, base = hex, 16
	}
	seed, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: found %q, want a seed: 0 to %d, or hexadecimal with 0x", source, text, uint64(1<<64-1))
	}
	return seed, nil
}

// Seed returns the seed of this run and logs it, with the command that runs this
// test with it again. It ends the test if the user's seed is invalid; a test binary
// whose TestMain uses Main ends before any test runs.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed, err := runSeed()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %#x; the same again: %s", seed, reproduction(seed, t.Name()))
	return seed
}

// reproduction returns the command that runs one test with the seed.
func reproduction(seed uint64, test string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s=%#x go test", seedEnvironment, seed)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "-tags" && s.Value != "":
				b.WriteString(" -tags " + shell.Quote(s.Value))
			case s.Key == "-race" && s.Value == "true":
				b.WriteString(" -race")
			}
		}
	}
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	b.WriteString(" " + shell.Command("-run", strings.Join(parts, "/"), packagePath()))
	return b.String()
}

// packagePath returns the package under test as a path in its module, such as ./pool:
// go test runs every test in its package's folder.
func packagePath() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			path, err := filepath.Rel(root, dir)
			if err != nil {
				return "."
			}
			return "./" + filepath.ToSlash(path)
		}
		if root == filepath.Dir(root) {
			return "."
		}
	}
}

// Main wraps the M of TestMain: a bad seed fails the test binary with one
// message, before any test runs. Use it with goleak:
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(proptest.Main(m)) }
func Main(m *testing.M) interface{ Run() int } { return main{m} }

type main struct{ m *testing.M }

// Run does what m.Run does.
func (m main) Run() int {
	flag.Parse()
	if _, err := runSeed(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return m.m.Run()
}
