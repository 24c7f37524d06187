package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/internal/plain"
)

// JUnit writes a run as JUnit XML, which Jenkins, GitLab and others read: a test case for each scenario, test or
// mutant. Those of a campaign are in one test suite, and others in one for each package. What was not decided is
// skipped. If the tool itself failed, that is an error.
func JUnit(r Result, p Page) []byte { return r.junit(p).text() }

// junitSuites is the document.
type junitSuites struct {
	XMLName    xml.Name        `xml:"testsuites"`
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Suites     []junitSuite    `xml:"testsuite"`
	properties []junitProperty // of each suite
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	took       time.Duration   // of all cases
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitOutcome `xml:"failure,omitempty"`
	Error   *junitOutcome `xml:"error,omitempty"`
	Skipped *junitOutcome `xml:"skipped,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// newJUnit returns a document without suites.
func newJUnit(name string, took time.Duration, properties ...junitProperty) *junitSuites {
	return &junitSuites{Name: name, Time: junitTime(took), properties: properties}
}

// junitTime formats a duration in seconds.
func junitTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// suite returns the suite of that name.
func (j *junitSuites) suite(name string) *junitSuite {
	for i := range j.Suites {
		if j.Suites[i].Name == name {
			return &j.Suites[i]
		}
	}
	j.Suites = append(j.Suites, junitSuite{Name: name, Properties: j.properties, Time: junitTime(0)})
	return &j.Suites[len(j.Suites)-1]
}

// add adds a case to a suite, and counts it.
func (j *junitSuites) add(suite string, c junitCase, took time.Duration) {
	s := j.suite(suite)
	s.took += took
	s.Time, c.Time = junitTime(s.took), cmp.Or(c.Time, junitTime(took))
	s.Cases = append(s.Cases, c)
	s.Tests, j.Tests = s.Tests+1, j.Tests+1
	switch {
	case c.Failure != nil:
		s.Failures, j.Failures = s.Failures+1, j.Failures+1
	case c.Error != nil:
		s.Errors, j.Errors = s.Errors+1, j.Errors+1
	case c.Skipped != nil:
		s.Skipped, j.Skipped = s.Skipped+1, j.Skipped+1
	}
}

// addPackages adds the packages that could not be tested.
func (j *junitSuites) addPackages(packages []PackageReport) {
	for _, p := range packages {
		if p.Problem != "" {
			j.add(p.Package, junitCase{Name: "build", Class: p.Package, Error: &junitOutcome{"the package cannot be tested", "build", p.Problem}}, 0)
		}
	}
}

// addTrouble adds a case for the failure of the tool itself, unless there was none.
func (j *junitSuites) addTrouble(name, trouble string) {
	if trouble != "" {
		j.add("stress", junitCase{Name: name, Class: "stress", Time: j.Time, Error: &junitOutcome{Message: trouble, Type: "tool"}}, 0)
	}
}

// text returns the document as XML.
func (j *junitSuites) text() []byte {
	text, err := xml.MarshalIndent(j, "", "  ")
	if err != nil {
		panic(err) // everything in it can be XML; invalid characters are replaced
	}
	return []byte(xml.Header + plain.Hidden(string(text)) + "\n")
}
