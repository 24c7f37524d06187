package report

import (
	_ "embed"
	"html/template"
	"time"

	"github.com/rouse-go/rouse/internal/evidence"
	"github.com/rouse-go/rouse/stress/internal/chart"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
)

//go:embed report.html
var campaignText string

var campaignTemplate = template.Must(template.New("report").Parse(campaignText))

// html returns tables, charts (SVG), and details of the failures.
func (r *Report) html(p Page) []byte {
	f := newFigures(r)
	page := htmlCampaign{htmlHead: newHTMLHead(r, style+chart.Style, f.facts(), len(f.failures) > 0), Merged: r.Campaign.Merged > 0, Shown: shown(r)}
	for _, x := range f.pictures() {
		page.Charts = append(page.Charts, htmlChart{x.title, x.about, template.HTML(x.svg())}) //nolint:gosec // chart escapes what it is given
	}
	for _, s := range f.failures {
		page.Failures = append(page.Failures, htmlFailure{s.Title(), s.problem(), p.link(s.HTML), p.files(s.files()), s.details(p.Command)})
	}
	for i := range r.Scenarios {
		page.Scenarios = append(page.Scenarios, newHTMLScenario(&r.Scenarios[i]))
	}
	return executed(campaignTemplate, page)
}

type htmlCampaign struct {
	htmlHead
	Merged    bool
	Failures  []htmlFailure
	Charts    []htmlChart
	Scenarios []htmlScenario
	Shown     [][2]string // what the passes prove
}

type htmlFailure struct {
	Title, Problem string
	Page           string // its URL; "" if there is none
	Files          []htmlFile
	Details        []string
}

type htmlChart struct {
	Title, About string
	SVG          template.HTML
}

type htmlScenario struct {
	Title, Mode, Word, Verdict, Expected, Detail string
	Executions, Rate, Median, Most, Longest      string
	NewOrders                                    string
	Took                                         time.Duration
	Faults                                       []outcome.FaultCount
}

func newHTMLScenario(s *ScenarioReport) htmlScenario {
	h := htmlScenario{Title: s.Title(), Mode: s.Mode.String(), Expected: scenario.Alternatives(s.Expect, s.May), Detail: s.Detail,
		Executions: evidence.Thousands(uint64(s.Executions)), Rate: short(s.rate()), Took: s.Duration.Round(10 * time.Millisecond), Faults: s.Faults, NewOrders: s.newOrders()}
	h.Word, h.Verdict = s.status()
	if s.Took.Count() > 0 {
		h.Median, h.Most, h.Longest = round(s.Took.Quantile(0.5)).String(), round(s.Took.Quantile(0.99)).String(), round(s.Took.Quantile(1)).String()
	}
	return h
}
