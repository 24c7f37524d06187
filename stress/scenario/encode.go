package scenario

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
)

// Encode writes scenarios in the form that Load reads.
func Encode(scenarios []Scenario) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "version: %d\nscenarios:\n", FileVersion)
	for i := range scenarios {
		b.WriteString(encodeScenario(&scenarios[i], "  "))
	}
	return b.Bytes()
}

// EncodeOne writes a list of one scenario, in the form that One reads.
func EncodeOne(sc *Scenario) string { return strings.TrimSuffix(encodeScenario(sc, ""), "\n") }

// encodeScenario writes one element of the list of scenarios.
func encodeScenario(sc *Scenario, indent string) string {
	lines := append(encodeName(sc), "about: "+sentence(sc.About))
	lines = append(lines, encodeMode(sc)...)
	lines = append(lines, encodeSubject(sc)...)
	if sizes := pairs(sc.Sizes); len(sizes) > 0 {
		lines = append(lines, "sizes: "+flow(sizes))
	}
	if len(sc.Plan) > 0 {
		lines = append(lines, "plan:")
	}
	for _, f := range sc.Plan {
		lines = append(lines, "  - "+f.String())
	}
	lines = append(lines, encodeExpectation(sc)...)
	lines = appendCount(lines, "executions", sc.Executions)
	lines = appendCount(lines, "share", sc.Share)
	if len(sc.Except) > 0 {
		lines = append(lines, "except:")
	}
	for _, e := range sc.Except {
		lines = append(lines, "  - "+flow(encodeException(e)))
	}
	return indent + "- " + strings.Join(lines, "\n"+indent+"  ") + "\n"
}

func encodeName(sc *Scenario) []string {
	pairs := []string{"name: " + quoted(sc.Name)}
	if sc.Group != "" {
		pairs = append(pairs, "group: "+quoted(sc.Group))
	}
	return pairs
}

func encodeMode(sc *Scenario) (pairs []string) {
	if sc.Mode != Native {
		pairs = append(pairs, "mode: "+sc.Mode.String())
	}
	if sc.Strategy != "" {
		pairs = append(pairs, "strategy: "+strconv.Quote(sc.Strategy))
	}
	if sc.Clock != control.Lazy {
		pairs = append(pairs, "clock: "+sc.Clock.String())
	}
	return appendCount(pairs, "max-steps", sc.MaxSteps)
}

func encodeExpectation(sc *Scenario) []string {
	pairs := []string{"expect: " + string(sc.Expect)}
	pairs = appendList(pairs, "may", sc.May)
	if sc.Why != "" {
		pairs = append(pairs, "why: "+strconv.QuoteToASCII(sc.Why))
	}
	return pairs
}

func encodeException(e Exception) []string {
	pairs := appendList(nil, variantKey, e.Variant)
	pairs = appendList(pairs, "without", e.Without)
	if e.Expect != "" {
		pairs = append(pairs, "expect: "+string(e.Expect))
	}
	pairs = appendList(pairs, "may", e.May)
	return append(pairs, "why: "+strconv.QuoteToASCII(e.Why))
}

func appendList[T ~string](pairs []string, key string, list []T) []string {
	if len(list) == 0 {
		return pairs
	}
	var words []string
	for _, w := range list {
		words = append(words, quoted(string(w)))
	}
	return append(pairs, key+": ["+strings.Join(words, ", ")+"]")
}

// encodeSubject writes the subject and the workload.
func encodeSubject(sc *Scenario) []string {
	of := "subject: " + quoted(sc.Subject)
	if setup := setupPairs(sc); len(setup) > 0 {
		of = sc.Subject + ": " + flow(setup)
	}
	return []string{of, "workload: " + quoted(sc.Workload)}
}

func appendCount(pairs []string, key string, n int) []string {
	if n == 0 {
		return pairs
	}
	return append(pairs, fmt.Sprintf("%s: %d", key, n))
}

func flow(pairs []string) string { return "{" + strings.Join(pairs, ", ") + "}" }

var (
	plainName  = regexp.MustCompile(`^[a-z][a-z0-9-]*([ /][a-z0-9-]+)*$`)
	plainProse = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([ ,;/()-]+[A-Za-z0-9.]+)+\)?\.?$`)
	notText    = []string{"null", "true", "false"}
)

// quoted returns a name as a YAML scalar, without quotes if that cannot be misread.
func quoted(s string) string {
	if plainName.MatchString(s) && !slices.Contains(notText, s) {
		return s
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD")) // Go's escapes are YAML's, double-quoted
}

// sentence returns text as a YAML scalar in block context.
func sentence(s string) string {
	if plainProse.MatchString(s) {
		return s
	}
	return quoted(s)
}
