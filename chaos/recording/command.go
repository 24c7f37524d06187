package recording

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/internal/shell"
)

// Command returns the command that repeats the recording of a test, which is in that file, quoted
// for a POSIX shell. It builds a binary like the recorded one. The file of a controlled recording, if
// its name is relative, is relative to the folder of the test's package; that of an unmodified one, to
// the folder in which the command runs. A Subject that is not an import path and the name of a test is
// an error: the go command could take it for a flag.
func (r *Recording) Command(file string) (string, error) {
	words, err := r.Words(file)
	return shell.Command(words...), err
}

// Words returns the words of Command, not quoted.
func (r *Recording) Words(file string) ([]string, error) {
	pkg, test, err := r.Test()
	if err != nil {
		return nil, err
	}
	run := []string{"-run", Pattern(test)}
	words := slices.Concat([]string{"go", "test"}, r.BuildFlags(), run, []string{pkg, "-chaos.replay=" + filepath.ToSlash(file)})
	if r.Origin() == OfStressTest {
		words = slices.Concat([]string{"stress", "test", pkg}, r.BuildFlags(), run, []string{"--replay", filepath.ToSlash(file)})
	}
	return words, nil
}

// Pattern returns the value of the flag -run of go test that selects a test.
func Pattern(test string) string {
	parts := strings.Split(test, "/")
	parts[0] = strings.TrimSuffix(parts[0], SecondTest)
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// Test returns the import path of the package and the name of the test that the Subject names.
func (r *Recording) Test() (pkg, test string, err error) {
	pkg, test, _ = strings.Cut(r.Subject, " ")
	if !isImportPath(pkg) {
		return "", "", fmt.Errorf("found %s, want the import path of a package and a test, such as \"example.com/queue TestQueue\"", quote(r.Subject))
	}
	if !isTestName(test) {
		return "", "", fmt.Errorf("found the test %s, want a name such as TestQueue or TestQueue/two_words", quote(test))
	}
	return pkg, test, nil
}

var pathElement = regexp.MustCompile(`^[A-Za-z0-9_~+-][A-Za-z0-9._~+-]*$`)

// isImportPath reports whether the go command takes path for an import path: the rules of
// golang.org/x/mod/module.CheckImportPath, except for the names that Windows reserves. An element
// that begins with a dot is refused as well.
func isImportPath(path string) bool {
	if strings.HasPrefix(path, "-") {
		return false
	}
	for element := range strings.SplitSeq(path, "/") {
		if !pathElement.MatchString(element) || strings.HasSuffix(element, ".") {
			return false
		}
	}
	return true
}

var testName = regexp.MustCompile(`^(?:Test|Benchmark|Example|Fuzz)(?:[^\p{Ll}/][\p{L}\p{Nd}_]*)?$`)

// SecondTest ends the name of a test of the external test package if the package has a test of that name,
// too. Package testing has no such ending.
const SecondTest = "#01"

// isTestName reports whether the testing package gives a test that name. It replaces spaces, and what is
// not printable, in the names of subtests; everything else may be in one, quotes and parentheses, too.
func isTestName(name string) bool {
	function, _, _ := strings.Cut(name, "/")
	function = strings.TrimSuffix(function, SecondTest)
	identifier := strings.IndexFunc(function, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
	return identifier && utf8.ValidString(name) && testName.MatchString(function) && strings.IndexFunc(name, func(r rune) bool { return !strconv.IsPrint(r) || unicode.IsSpace(r) }) < 0
}
