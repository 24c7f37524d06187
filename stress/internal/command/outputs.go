package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rouse-go/rouse/internal/plain"
	"github.com/rouse-go/rouse/internal/stdout"
	"github.com/rouse-go/rouse/stress/internal/report"
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
	flags.Var(&f.reports, "report", "file for a report with pictures, .md or .html by its name; may be given several times")
	flags.Var(&f.annotate, "annotate", "github: annotate failures in GitHub Actions, and write the summary of the step (default where $"+actionsEnv+" is true); none: do not")
}

func (f *outputFlags) complete(c *cobra.Command) {
	completeFlag(c, "report", filesWith("md", "html"))
	completeFlag(c, "annotate", cobra.FixedCompletions([]string{string(annotateGitHub), string(annotateNone)}, cobra.ShellCompDirectiveNoFileComp))
}

// A reportsFlag names reports for people.
type reportsFlag []string

func (r *reportsFlag) String() string { return strings.Join(*r, ",") }
func (r *reportsFlag) Type() string   { return "file" }
func (r *reportsFlag) Set(text string) error {
	p := Path{What: "file"}
	if err := p.Set(text); err != nil {
		return err
	}
	if reportFormat(text) == nil {
		return errors.New("want a name that ends in .md or .html")
	}
	*r = append(*r, text)
	return nil
}

// reportFormat is the format of a report of that name; nil if it is unknown.
func reportFormat(path string) func(report.Campaign, report.Report, report.Page) []byte {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown":
		return report.Markdown
	case ".html", ".htm":
		return report.HTML
	}
	return nil
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
	if *a = annotateFlag(text); *a != annotateGitHub && *a != annotateNone {
		return errors.New("want github or none")
	}
	return nil
}

// What GitHub Actions sets in the environment of its steps.
const (
	actionsEnv = "GITHUB_ACTIONS"
	summaryEnv = "GITHUB_STEP_SUMMARY"
)

// outputs are the reports of one campaign.
type outputs struct {
	console *report.Console
	all     []output
	summary *report.Document // of the step, if there is one
	path    string           // of its file
	text    strings.Builder
}

// An output is one of them.
type output struct {
	flag     string
	observer interface {
		report.Observer
		Err() error
	}
	file *report.File // nil if it goes to standard output
}

// A wanted is a report that a flag asks for.
type wanted struct {
	namedFile
	flag   string
	format func(report.Campaign, report.Report) []byte // nil is JSON lines
}

// wanted are the reports that go into files. program is how this one is called.
func (f *outputFlags) wanted(program []string) (all []wanted) {
	add := func(flag, path string, format func(report.Campaign, report.Report) []byte) {
		if path != "" && (flag != "--json" || path != "-") {
			all = append(all, wanted{namedFile{as: flag + " " + path, path: path}, flag, format})
		}
	}
	add("--json", f.json.Name, nil)
	add("--junit", f.junit.Name, func(c report.Campaign, r report.Report) []byte { return report.JUnit(c, r, program) })
	for _, path := range f.reports {
		format, page := reportFormat(path), report.Page{Dir: filepath.Dir(path), Command: program}
		add("--report", path, func(c report.Campaign, r report.Report) []byte { return format(c, r, page) })
	}
	return all
}

// annotates reports whether failures are annotated, and the file of the summary; "" is none.
func (f *outputFlags) annotates() (annotates bool, summary string) {
	if f.annotate != annotateGitHub && (f.annotate != "" || os.Getenv(actionsEnv) != "true") {
		return false, ""
	}
	return true, os.Getenv(summaryEnv)
}

// files are what a command reads and writes, without its reports.
type files struct {
	scenarios    string // the file, if there is one
	reads, write []namedFile
}

// open opens all files before anything runs. If it cannot, the disk is unchanged.
func (f *outputFlags) open(out, errs io.Writer, others files) (*outputs, error) {
	o := &outputs{console: newConsole(out, errs, f.json.Name == "-")}
	if f.json.Name == "-" {
		if err := stdout.Replaced(); err != nil {
			return nil, Failed(fmt.Errorf("--json -: %w", err))
		}
		o.all = append(o.all, output{flag: "--json", observer: report.NewJSONLines(out)})
	}
	program := o.console.Command
	want, writes := f.wanted(program), others.write
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
	for _, w := range want {
		file, err := report.CreateFile(w.path)
		if err != nil {
			o.discard()
			err = fmt.Errorf("%s %w", w.flag, err)
			if errors.Is(err, report.ErrUnwritable) {
				return nil, Failed(err)
			}
			return nil, Usage("%w", err)
		}
		if w.format == nil {
			o.all = append(o.all, output{w.flag, report.NewJSONLines(file), file})
			continue
		}
		o.all = append(o.all, output{w.flag, &report.Document{Out: file, Format: w.format}, file})
	}
	if annotates {
		o.all = append(o.all, output{flag: "--annotate", observer: &report.Annotations{Out: plain.Raw(o.console.Out), File: others.scenarios, Command: program}})
	}
	if o.path = summary; summary != "" {
		o.summary = &report.Document{Out: &o.text, Format: func(c report.Campaign, r report.Report) []byte {
			return report.Markdown(c, r, report.Page{Command: program})
		}}
	}
	return o, nil
}

func (o *outputs) observers() []report.Observer {
	all := []report.Observer{o.console}
	for _, out := range o.all {
		all = append(all, out.observer)
	}
	if o.summary != nil {
		all = append(all, o.summary)
	}
	return all
}

func (o *outputs) discard() {
	for _, out := range o.all {
		if out.file != nil {
			out.file.Discard()
		}
	}
}

// close puts the reports in place, and returns the first error of any.
func (o *outputs) close() error {
	var errs []error
	for _, out := range o.all {
		err := out.observer.Err()
		if out.file != nil {
			err = out.file.Close() // it has the error of the observer, too
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", out.flag, err))
		}
	}
	if o.summary != nil && o.text.Len() > 0 {
		if err := report.AppendSummary(o.path, []byte(o.text.String())); err != nil {
			errs = append(errs, fmt.Errorf("$%s: %w", summaryEnv, err))
		}
	}
	errs = append(errs, o.console.Err())
	return cmp.Or(errs...)
}

// finished puts the reports in place. Its error has the exit code.
func (o *outputs) finished(result *report.Report, err error) error {
	closed := o.close()
	var refused *scenario.InputError
	switch {
	case errors.As(err, &refused):
		return Usage("%w", err)
	case err != nil:
		return Failed(err)
	case closed != nil:
		return Failed(closed)
	case !result.AsExpected():
		return &ExitError{Code: ExitFailed}
	}
	return nil
}
