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
	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/suite"
	"github.com/rouse-go/rouse/stress/scenario"
)

// outputFlags are the flags for the reports and the progress of a run.
type outputFlags struct {
	json, junit, markdown Path
	reports               reportsFlag
	annotate              annotateFlag
	plain, quiet          bool
}

func newOutputFlags() outputFlags {
	return outputFlags{json: Path{What: "file"}, junit: Path{What: "file"}, markdown: Path{What: "file"}}
}

// defineReports defines the flags for reports.
func (f *outputFlags) defineReports(c *cobra.Command) {
	f.defineMachines(c)
	c.Flags().Var(&f.reports, "report", "file for a report, .md or .html by its name, or folder/ for one with a page of each failure; may be given several times")
	completeFlag(c, "report", filesWith("md", "html"))
}

// defineMachines defines the flags for reports for machines.
func (f *outputFlags) defineMachines(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(&f.json, "json", "file for a report in JSON lines, - for standard output")
	flags.Var(&f.junit, "junit", "file for a report in JUnit XML, as Jenkins and GitLab read it")
	flags.Var(&f.annotate, "annotate", "github: annotate failures in GitHub Actions, and write the summary of the step (default where $"+actionsEnv+" is true); none: do not")
	completeFlag(c, "annotate", cobra.FixedCompletions([]string{string(annotateGitHub), string(annotateNone)}, cobra.ShellCompDirectiveNoFileComp))
}

// defineProgress defines the flags for the progress.
func (f *outputFlags) defineProgress(flags *pflag.FlagSet) {
	flags.BoolVar(&f.plain, "plain", false, "progress in lines, also on a terminal (default: where $CI is set)")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress, only results")
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

// A reporter is an observer that keeps its write error.
type reporter interface {
	report.Observer
	Err() error
}

// outputs holds the reports of one run.
type outputs struct {
	console *report.Console
	all     []output
	summary string // path of the step's summary, if there is one
	text    strings.Builder
	pages   *pages // nil without a folder for pages
}

// An output is one of the outputs.
type output struct {
	flag     string
	reporter reporter
	file     *report.File // nil if it does not go into a file
}

// A wanted is a report that a flag requests.
type wanted struct {
	namedFile
	flag   string
	format report.Format // nil is JSON lines
}

// wanted returns the reports that go into files.
func (f *outputFlags) wanted() (all []wanted) {
	add := func(flag, name, path string, format report.Format) {
		if name != "" {
			all = append(all, wanted{namedFile{as: flag + " " + name, path: path}, flag, format})
		}
	}
	if f.json.Name != "-" {
		add("--json", f.json.Name, f.json.Name, nil)
	}
	add("--junit", f.junit.Name, f.junit.Name, report.JUnit)
	add("--markdown", f.markdown.Name, f.markdown.Name, report.Markdown)
	for _, name := range f.reports {
		file, format := f.reports.file(name), report.Format(report.HTML)
		if isMarkdown(file) {
			format = report.Markdown
		}
		add("--report", name, file, format)
	}
	return all
}

// reporter returns the reporter that writes to out.
func (w *wanted) reporter(out io.Writer, p report.Page) reporter {
	if w.format == nil {
		return report.NewJSONLines(out)
	}
	p.Dir = filepath.Dir(w.path)
	return &report.Document{Out: out, Format: w.format, Page: p}
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

// open opens all files of a run before anything runs. If that fails, the disk is unchanged.
func (f *outputFlags) open(c *cobra.Command, verbose bool, others files) (*outputs, error) {
	out := c.OutOrStdout()
	o := &outputs{console: f.console(out, c.ErrOrStderr(), verbose)}
	page := report.Page{Command: o.console.Command, Scenarios: others.scenarios}
	if f.json.Name == "-" {
		if err := stdout.Replaced(); err != nil {
			return nil, Failed(fmt.Errorf("--json -: %w", err))
		}
		o.all = append(o.all, output{flag: "--json", reporter: report.NewJSONLines(out)})
	}
	want, writes := f.wanted(), others.write
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
		o.all = append(o.all, output{w.flag, w.reporter(file, page), file})
	}
	if annotates {
		o.all = append(o.all, output{flag: "--annotate", reporter: &report.Document{Out: plain.Raw(o.console.Out), Format: report.Annotations, Page: page}})
	}
	if o.summary = summary; summary != "" {
		o.all = append(o.all, output{flag: "$" + summaryEnv, reporter: &report.Document{Out: &o.text, Format: report.Markdown, Page: page}})
	}
	return o, nil
}

// unopened returns the error of a report, or a folder, that cannot be written, with its exit code.
func unopened(flag string, err error) error {
	err = fmt.Errorf("%s %w", flag, err)
	if errors.Is(err, report.ErrUnwritable) {
		return Failed(err)
	}
	return Usage("%w", err)
}

// observers returns the outputs as observers. The pages are written before others are notified of them.
func (o *outputs) observers() (all report.Observers) {
	if o.pages != nil {
		all = append(all, o.pages)
	}
	all = append(all, o.console)
	for _, out := range o.all {
		all = append(all, out.reporter)
	}
	return all
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
	if o.text.Len() > 0 {
		if err := report.AppendSummary(o.summary, []byte(o.text.String())); err != nil {
			errs = append(errs, fmt.Errorf("$%s: %w", summaryEnv, err))
		}
	}
	errs = append(errs, o.console.Err())
	return cmp.Or(errs...)
}

// finished puts the reports in place. Its error has the exit code. err is the error that ended the run, failed reports
// whether something failed, and broken whether a package could not be tested.
func (o *outputs) finished(failed, broken bool, err error) error {
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
	case broken:
		return &ExitError{Code: exitUsage}
	}
	return nil
}
