package report

import "time"

// junitPackages is JUnit XML with a test suite for each package.
type junitPackages struct {
	all        junitSuites
	properties []junitProperty
	at         map[string]int           // index of a package in all.Suites
	took       map[string]time.Duration // by package
}

func newJUnitPackages(name string, took time.Duration, properties ...junitProperty) *junitPackages {
	return &junitPackages{junitSuites{Name: name, Time: junitTime(took)}, properties, map[string]int{}, map[string]time.Duration{}}
}

// add adds a test case to the suite of a package.
func (j *junitPackages) add(pkg string, c junitCase, took time.Duration) {
	i, ok := j.at[pkg]
	if !ok {
		i = len(j.all.Suites)
		j.at[pkg] = i
		j.all.Suites = append(j.all.Suites, junitSuite{Name: pkg, Properties: j.properties})
	}
	j.all.Suites[i].add(c)
	j.took[pkg] += took
}

// text returns the document, which ends with the packages that could not be tested, and with the trouble of the tool
// unless that is "".
func (j *junitPackages) text(packages []PackageReport, trouble string) []byte {
	for _, p := range packages {
		if p.Problem != "" {
			j.add(p.Package, junitCase{Name: "build", Class: p.Package, Time: junitTime(0), Error: &junitOutcome{"the package cannot be tested", "build", p.Problem}}, 0)
		}
	}
	if trouble != "" {
		j.add("stress", junitCase{Name: j.all.Name, Class: "stress", Time: j.all.Time, Error: &junitOutcome{Message: trouble, Type: "tool"}}, 0)
	}
	for i := range j.all.Suites {
		suite := &j.all.Suites[i]
		suite.Time = junitTime(j.took[suite.Name])
	}
	return j.all.text()
}
