package mutate

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"time"
)

// Steps of a package without a mutant, besides the tests in each way.
const (
	stepList  = "list"  // its tests are listed
	stepCover = "cover" // a test runs with coverage
	stepAll   = "-all"  // after the name of a way under stress test: all executions of a test
)

// An unmutatedKey holds everything that a result without a mutant depends on.
type unmutatedKey struct {
	Package string `json:"package,omitempty"` // "" for the user's command
	Files   string `json:"files"`             // hash of the package's files and tests
	Step    string `json:"step"`              // or a way
	Test    string `json:"test,omitempty"`
	Setting string `json:"setting"`
}

// An unmutated is a line of the journal for something that passes without a mutant. Failures are not kept: the
// next run tries again.
type unmutated struct {
	Key     unmutatedKey `json:"unmutated"`
	Seconds float64      `json:"seconds,omitempty"`
	MayLeak bool         `json:"may_leak,omitempty"` // under stress test: it passes only without --leaks
	Names   []string     `json:"names,omitempty"`    // for the step "list"
	Profile []byte       `json:"profile,omitempty"`  // for the step "cover", compressed
}

// unmutatedKey returns the key of a step of a package, or of one of its tests.
func (s *session) unmutatedKey(p *pkg, step, test string) unmutatedKey {
	return unmutatedKey{p.PkgPath, p.files, step, test, s.setting(step)}
}

// commandKey returns the key of the user's command.
func (s *session) commandKey() unmutatedKey {
	var files []string
	for _, p := range s.packages {
		files = append(files, p.files)
	}
	return unmutatedKey{"", strings.Join(files, " "), Command, "", s.setting(Command)}
}

// took returns how long it took, at least 1 ns.
func (u *unmutated) took() time.Duration {
	return max(time.Duration(u.Seconds*float64(time.Second)), 1)
}

// compressed compresses a text for the journal.
func compressed(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text) //nolint:errcheck // a buffer takes all
	w.Close()     //nolint:errcheck // as above
	return b.Bytes()
}

// uncompressed reverses compressed.
func uncompressed(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
