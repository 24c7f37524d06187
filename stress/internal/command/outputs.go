package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/internal/stdout"
	"github.com/rouse-go/rouse/stress/internal/called"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
	"github.com/rouse-go/rouse/stress/scenario"
)

// outputFlags are the flags for the reports of a campaign.
type outputFlags struct {
	json, junit Path
	reports     reportsFlag
	annotate    annotateFlag
}

func newOutputFlags() outputFlags {
	return outputFlags{json: Path{What: "file"}, junit: Path{What: "file"}}
}

func (f *outputFlags) define(flags *pflag.FlagSet) {
	flags.Var(&f.json, "json", "file for a report in JSON lines, - for standard output")
	flags.Var(&f.junit, "junit", "file for a report in JUnit XML, as Jenkins and GitLab read it")
	flags.Var(&f.reports, "report", reportUsage)
	flags.Var(&f.annotate, "annotate", annotateUsage)
}

const reportUsage = "file for a report, .md or .html by its name, or folder/ for one with a page of each failure; may be given several times"

const annotateUsage = "github: annotate failures in GitHub Actions, and write the summary of the step (default where $" + actionsEnv + " is true); none: do not"

func (f *outputFlags) complete(c *cobra.Command) {
	f.completeReport(c)
	f.completeAnnotate(c)
}

func (f *outputFlags) completeReport(c *cobra.Command) {
	completeFlag(c, "report", filesWith("md", "html"))
}

func (f *outputFlags) completeAnnotate(c *cobra.Command) {
	completeFlag(c, "annotate", cobra.FixedCompletions([]string{string(annotateGitHub), string(annotateNone)}, cobra.ShellCompDirectiveNoFileComp))
}

// A reportsFlag names reports for people: files, and at most one folder.
type reportsFlag []string

func (r *reportsFlag) String() string { return strings.Join(*r, ",") }
func (r *reportsFlag) Type() string   { return "file" }
func (r *reportsFlag) Set(text string) error {
	p := Path{What: "file"}
	if err := p.Set(text); err != nil {
		return err
	}
	switch folder := r.folder(); {
	case isFolder(text) && folder != "":
		return fmt.Errorf("%s is a folder already, want one", folder)
	case !isFolder(text) && !isMarkdown(text) && !isHTML(text):
		return errors.New("want a name that ends in .md or .html, or a folder, which ends in /")
	}
	*r = append(*r, text)
	return nil
}

// folder returns the folder for a report with pages, or "" if there is none.
func (r *reportsFlag) folder() string {
	if i := slices.IndexFunc(*r, isFolder); i >= 0 {
		return (*r)[i]
	}
	return ""
}

// isFolder reports whether a report of that name is a folder: it ends in a separator, or has no ending.
func isFolder(path string) bool {
	base := filepath.Base(path)
	return os.IsPathSeparator(path[len(path)-1]) || filepath.Ext(base) == "" || base == "." || base == ".."
}

func isMarkdown(path string) bool { return hasEnding(path, ".md", ".markdown") }
func isHTML(path string) bool     { return hasEnding(path, ".html", ".htm") }

func hasEnding(path string, endings ...string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(path)))
}

// indexName is the report in a folder with pages.
const indexName = "index.html"

// file returns the file of a report with the given name.
func (r *reportsFlag) file(path string) string {
	if isFolder(path) {
		return filepath.Join(path, indexName)
	}
	return path
}

// A formatOf writes a report for people.
type formatOf[About, Report any] func(About, Report, report.Page) []byte

// reportsInto adds the reports for people to the formats, according to their names.
func reportsInto[A, R any](all *formats, names *reportsFlag, program []string, markdown, html formatOf[A, R], document func(func(A, R) []byte) func(io.Writer) reporter) {
	for _, name := range *names {
		format, file := html, names.file(name)
		if isMarkdown(file) {
			format = markdown
		}
		page := report.Page{Dir: filepath.Dir(file), Command: program}
		all.files = append(all.files, wanted{namedFile{as: "--report " + name, path: file}, "--report",
			document(func(about A, r R) []byte { return format(about, r, page) })})
	}
}

// An annotateFlag is where failures are annotated.
type annotateFlag string

const (
	annotateGitHub annotateFlag = "github"
	annotateNone   annotateFlag = "none"
)

func (a *annotateFlag) String() string { return string(*a) }
func (a *annotateFlag) Type() string   { return "github|none" }
func (a *annotateFlag) Set(text string) error {
	where := annotateFlag(text)
	if where != annotateGitHub && where != annotateNone {
		return errors.New("want github or none")
	}
	*a = where
	return nil
}

// Variables that GitHub Actions sets in the environment of its steps.
const (
	actionsEnv = "GITHUB_ACTIONS"
	summaryEnv = "GITHUB_STEP_SUMMARY"
)

// A reporter is a report.Observer or a report.TestObserver that keeps its write error.
type reporter interface{ Err() error }

// outputs holds the reports of one campaign, or of one run of a module's tests.
type outputs struct {
	console reporter
	screen  *report.Terminal // the terminal of console
	all     []output
	summary reporter // summary of the step, if there is one
	path    string   // path of the summary's file
	text    strings.Builder
	pages   *pages // nil without a folder for pages
}

// An output is one of the outputs.
type output struct {
	flag     string
	reporter reporter
	file     *report.File // nil if it goes to standard output
}

// A wanted is a report that a flag requests.
type wanted struct {
	namedFile
	flag string
	to   func(io.Writer) reporter
}

// formats holds the possible reports of a campaign, or of a run of tests.
type formats struct {
	console     reporter
	screen      *report.Terminal
	json        func(io.Writer) reporter
	files       []wanted // without JSON lines
	annotations func(io.Writer) reporter
	summary     func(io.Writer) reporter
}

// ofCampaign returns the formats of a campaign.
func (f *outputFlags) ofCampaign(console *report.Console, scenarios string) formats {
	program := console.Command
	document := func(format func(report.Campaign, report.Report) []byte) func(io.Writer) reporter {
		return func(out io.Writer) reporter { return &report.Document{Out: out, Format: format} }
	}
	all := formats{
		console: console, screen: &console.Terminal,
		json: func(out io.Writer) reporter { return report.NewJSONLines(out) },
		annotations: func(out io.Writer) reporter {
			return &report.Annotations{Out: out, File: scenarios, Command: program}
		},
		summary: document(func(c report.Campaign, r report.Report) []byte {
			return report.Markdown(c, r, report.Page{Command: program})
		}),
	}
	all.add("--junit", f.junit.Name, document(func(c report.Campaign, r report.Report) []byte { return report.JUnit(c, r, program) }))
	reportsInto(&all, &f.reports, program, report.Markdown, report.HTML, document)
	return all
}

// ofTests returns the formats of a run of a module's tests.
func (f *outputFlags) ofTests(console *report.ConsoleOfTests) formats {
	document := func(format func(report.Suite, report.SuiteReport) []byte) func(io.Writer) reporter {
		return func(out io.Writer) reporter { return &report.DocumentOfTests{Out: out, Format: format} }
	}
	all := formats{
		console: console, screen: &console.Terminal,
		json:        func(out io.Writer) reporter { return report.NewLinesOfTests(out) },
		annotations: func(out io.Writer) reporter { return report.NewAnnotationsOfTests(out) },
		summary:     document(report.SummaryOfTests),
	}
	all.add("--junit", f.junit.Name, document(report.JUnitOfTests))
	reportsInto(&all, &f.reports, nil, report.MarkdownOfTests, report.HTMLOfTests, document)
	return all
}

// add adds a report that goes into a file, if it is wanted.
func (all *formats) add(flag, path string, to func(io.Writer) reporter) {
	if path != "" {
		all.files = append(all.files, wanted{namedFile{as: flag + " " + path, path: path}, flag, to})
	}
}

// wanted returns the reports that go into files.
func (f *outputFlags) wanted(formats formats) []wanted {
	json := formats
	json.files = nil
	if f.json.Name != "-" {
		json.add("--json", f.json.Name, formats.json)
	}
	return append(json.files, formats.files...)
}

// annotates reports whether failures are annotated, and returns the file of the summary, or "".
func (f *outputFlags) annotates() (annotates bool, summary string) {
	if f.annotate != annotateGitHub && (f.annotate != "" || os.Getenv(actionsEnv) != "true") {
		return false, ""
	}
	return true, os.Getenv(summaryEnv)
}

// files holds the files that a command reads and writes, without its reports.
type files struct {
	scenarios    string // the file, if there is one
	reads, write []namedFile
}

// open opens all files of a campaign before anything runs. If that fails, the disk is unchanged.
func (f *outputFlags) open(out, errs io.Writer, others files) (*outputs, error) {
	console := &report.Console{Terminal: f.terminal(out, errs), Command: called.Command(outcome.ThisBuild().Race)}
	return f.openAll(out, f.ofCampaign(console, others.scenarios), others)
}

// openAll opens the files of these formats.
func (f *outputFlags) openAll(out io.Writer, formats formats, others files) (*outputs, error) {
	o := &outputs{console: formats.console, screen: formats.screen}
	if f.json.Name == "-" {
		if err := stdout.Replaced(); err != nil {
			return nil, Failed(fmt.Errorf("--json -: %w", err))
		}
		o.all = append(o.all, output{flag: "--json", reporter: formats.json(out)})
	}
	want, writes := f.wanted(formats), others.write
	for _, w := range want {
		writes = append(writes, w.namedFile)
	}
	annotates, summary := f.annotates()
	if summary != "" {
		writes = append(writes, namedFile{as: "$" + summaryEnv, path: summary})
	}
	if err := distinct(others.reads, writes); err != nil {
		return nil, err
	}
	if folder := f.reports.folder(); folder != "" {
		var err error
		if o.pages, err = newPages(folder, writes); err != nil {
			return nil, Usage("--report %w", err)
		}
	}
	for _, w := range want {
		file, err := report.CreateFile(w.path)
		if err != nil {
			o.discard()
			return nil, unopened(w.flag, err)
		}
		o.all = append(o.all, output{w.flag, w.to(file), file})
	}
	if annotates {
		o.all = append(o.all, output{flag: "--annotate", reporter: formats.annotations(plain.Raw(o.screen.Out))})
	}
	if o.path = summary; summary != "" {
		o.summary = formats.summary(&o.text)
	}
	return o, nil
}

// unopened returns the error of a report that cannot be written, with its exit code.
func unopened(flag string, err error) error {
	err = fmt.Errorf("%s %w", flag, err)
	if errors.Is(err, report.ErrUnwritable) {
		return Failed(err)
	}
	return Usage("%w", err)
}

// observersOf returns the outputs as the observers of a campaign, or of a run of tests.
func observersOf[O any](o *outputs) []O {
	all := []O{o.console.(O)}
	for _, out := range o.all {
		all = append(all, out.reporter.(O))
	}
	if o.summary != nil {
		all = append(all, o.summary.(O))
	}
	return all
}

// progress turns off the progress, or the live display, according to the flags and the environment.
func (o *outputs) progress(quiet, plain bool) {
	switch {
	case quiet:
		o.screen.Status = nil
	case plain || os.Getenv("CI") != "" || os.Getenv("TERM") == "dumb":
		o.screen.StatusWidth = nil
	}
}

func (o *outputs) discard() {
	for _, out := range o.all {
		if out.file != nil {
			out.file.Discard()
		}
	}
	if o.pages != nil {
		o.pages.undo()
	}
}

// close puts the reports in place, and returns the first error of any.
func (o *outputs) close() error {
	var errs []error
	if o.pages != nil && o.pages.err != nil {
		errs = append(errs, fmt.Errorf("--report: %w", o.pages.err))
	}
	for _, out := range o.all {
		err := out.reporter.Err()
		if out.file != nil {
			err = out.file.Close() // it also has the error of the reporter
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", out.flag, err))
		}
	}
	if o.pages != nil {
		o.pages.undo() // it is empty if nothing has run
	}
	if o.summary != nil && o.text.Len() > 0 {
		if err := report.AppendSummary(o.path, []byte(o.text.String())); err != nil {
			errs = append(errs, fmt.Errorf("$%s: %w", summaryEnv, err))
		}
	}
	errs = append(errs, o.console.Err())
	return cmp.Or(errs...)
}

// finished puts the reports in place. Its error has the exit code. err is the error that ended the run,
// and failed reports whether something failed.
func (o *outputs) finished(failed bool, err error) error {
	closed := o.close()
	var refused *scenario.InputError
	var input *suite.InputError
	switch {
	case errors.As(err, &refused), errors.As(err, &input):
		return Usage("%w", err)
	case err != nil:
		return Failed(err)
	case closed != nil:
		return Failed(closed)
	case failed:
		return &ExitError{Code: ExitFailed}
	}
	return nil
}
