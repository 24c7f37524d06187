package recording

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos/verdict"
)

func TestCompare(t *testing.T) {
	r := sample()
	r.Site = "queue.(*Queue).Pop (queue.go:31)"
	as := Repetition{Verdict: r.Verdict, Site: r.Site, Hash: r.Hash}
	for _, c := range []struct {
		name   string
		change func(p *Repetition)
		want   Likeness
		reason string
	}{
		{"as recorded", func(*Repetition) {}, Exact, ""},
		{"another trace", func(p *Repetition) { p.Hash = 1 }, SameFailure, "the trace hash is 0000000000000001, recorded: 5be0cd19137e2179"},
		{"a line moved", func(p *Repetition) { p.Hash, p.Site = 1, "queue.(*Queue).Pop (queue.go:32)" }, SameFailure, "the trace hash is "},
		{"another site", func(p *Repetition) { p.Site = "queue.(*Queue).Push (queue.go:31)" }, NotReproduced, "it fails at another site: queue.(*Queue).Push (queue.go:31), recorded: queue.(*Queue).Pop"},
		{"another verdict", func(p *Repetition) { p.Verdict = verdict.Leak }, NotReproduced, "the verdict is leak"},
		{"a pass", func(p *Repetition) { p.Verdict = verdict.Pass }, NotReproduced, "the execution passes"},
		{"entries left", func(p *Repetition) { p.Unused = 2 }, NotReproduced, "2 of 9 decisions do not apply"},
		{"all of that", func(p *Repetition) { *p = Repetition{Verdict: verdict.Pass, Unused: 9} }, NotReproduced, "the execution passes; 9 of 9 decisions do not apply"},
	} {
		p := as
		c.change(&p)
		if got, reason := r.Compare(p); got != c.want || !strings.HasPrefix(reason, c.reason) || (reason == "") != (c.reason == "") {
			t.Errorf("%s: %v, %q; want %v, %q", c.name, got, reason, c.want, c.reason)
		}
	}
	for _, site := range []string{"queue_test.go:3: \u202e, \x00", "queue_test.go:3: two  spaces,\nlines", "queue_test.go:3: \xff"} {
		r.Site = site
		read, err := Parse("sites.rouse", r.String())
		if err != nil {
			t.Fatal(err)
		}
		if got, reason := read.Compare(Repetition{Verdict: r.Verdict, Site: site, Hash: r.Hash}); got != Exact {
			t.Errorf("%q: %s", site, reason)
		}
	}
	// As versions wrote them that kept the numbers of panics, and more of what was shortened.
	words := strings.Repeat(" word", 30)
	for was, is := range map[string]string{"index 7 of 0xc0": "index # of #", "a_test.go:3:" + words + "...": "a_test.go:3:" + words[:88] + "..."} {
		r.Site = was
		if got, reason := r.Compare(Repetition{Verdict: r.Verdict, Site: is, Hash: r.Hash}); got != Exact {
			t.Errorf("%q: %s", is, reason)
		}
	}
	r.Site = "" // of a recording of before there were sites
	if got, _ := r.Compare(as); got != Exact {
		t.Errorf("without a site: %v", got)
	}
}

// The command makes a binary like the recorded one, and nothing else of what a file says.
func TestCommandOfABuild(t *testing.T) {
	r := sample()
	for build, want := range map[string]string{
		"":                           "go test -tags chaos -run",
		"go1.26.0 linux/amd64 race":  "go test -tags chaos -race -run",
		"go1.26.0 linux/amd64 cpu=4": "go test -tags chaos -cpu 4 -run",
		"go1.26.0 linux/amd64 race tags=slow,integration cpu=1": "go test -tags chaos,slow,integration -race -cpu 1 -run",
		"go1.26.0 linux/amd64 tags=a;b cpu=$(x)":                "go test -tags chaos -run",
	} {
		r.Build = build
		if got, err := r.Command("f"); err != nil || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, %v, want %s", build, got, err, want)
		}
	}
}
