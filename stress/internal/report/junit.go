package report

import (
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/stress/scenario"
)

// JUnit writes a campaign as JUnit XML, which Jenkins, GitLab and others read: a test case for each
// scenario, in the classes stress.native and stress.control. A scenario that is open or was
// interrupted is skipped. If the tool failed during a scenario, that is an error; if it failed between
// two, the campaign is a test case of its own, with an error. replay holds the words that start this
// program, for the replay commands.
func JUnit(c Campaign, r Report, replay []string) []byte {
	suite := junitSuite{Name: "stress", Time: junitTime(r.Duration), Properties: []junitProperty{
		{"seed", HexSeed(c.Seed)}, {"build", c.Build.String()}, {"shard", c.Shard.String()},
	}}
	if c.Shard.Of == 0 {
		suite.Properties = suite.Properties[:2]
	}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		test := junitCase{Name: scenario.Title(s.Name, s.Variant), Class: "stress." + s.Mode.String(), Time: junitTime(s.Duration)}
		switch {
		case s.Interrupted && !r.Interrupted:
			test.Error = &junitOutcome{Message: "the tool itself failed", Type: "interrupted"}
		case s.Interrupted:
			test.Skipped = &junitOutcome{Message: "the campaign was interrupted"}
		case s.Open:
			test.Skipped = &junitOutcome{Message: "open: " + s.Detail}
		case s.Failed():
			test.Failure = &junitOutcome{s.problem(), string(s.Verdict), strings.Join(s.details(replay), "\n")}
		}
		suite.add(test)
	}
	if r.Trouble != "" && suite.Errors == 0 {
		suite.add(junitCase{Name: "campaign", Class: "stress", Time: suite.Time, Error: &junitOutcome{Message: r.Trouble, Type: "tool"}})
	}
	all := junitSuites{Name: "stress", Time: suite.Time, Suites: []junitSuite{suite}}
	return all.text()
}

// junitTime formats a duration in seconds.
func junitTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
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
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// add adds a case and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// text returns the document. It sums the counts of all suites.
func (s *junitSuites) text() []byte {
	for i := range s.Suites {
		suite := &s.Suites[i]
		s.Tests, s.Failures, s.Errors, s.Skipped = s.Tests+suite.Tests, s.Failures+suite.Failures, s.Errors+suite.Errors, s.Skipped+suite.Skipped
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // everything in it can be XML; invalid characters are replaced
	}
	return []byte(xml.Header + plain.Hidden(string(text)) + "\n")
}
