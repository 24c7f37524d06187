package report

import (
	"fmt"
	"strings"
	"unicode"
)

// Markdown writes a run for people, in the Markdown of GitHub and GitLab.
func Markdown(r Result, p Page) []byte {
	var b markdown
	r.markdown(&b, p)
	return []byte(b.String())
}

type markdown struct{ strings.Builder }

func (b *markdown) line(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }

// failure begins the section of a failure, with a link to its page if there is one.
func (b *markdown) failure(status, title, problem, page string) {
	b.line("\n## %s: %s\n\n%s", status, escaped(title), escaped(problem))
	if page != "" {
		b.line("\n%s", linked("The execution, step by step", page))
	}
}

// untested writes the problem of a package that could not be tested.
func (b *markdown) untested(p *PackageReport) {
	if p.Problem != "" {
		b.line("\n## %s cannot be tested\n", escaped(p.Package))
		b.fenced(strings.TrimRight(p.Problem, "\n"))
	}
}

// linked returns a Markdown link to a URL, or just the name without one.
func linked(name, link string) string {
	if link == "" {
		return name
	}
	return "[" + name + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(link) + ">)"
}

// fenced writes text verbatim, between fences longer than any in it.
func (b *markdown) fenced(text string) { b.fencedAs("text", text) }

// fencedAs writes text verbatim, in the colors of a language.
func (b *markdown) fencedAs(language, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	b.line("%s%s\n%s\n%s", fence, language, visible(text), fence)
}

// escaped returns text on one line with all Markdown and HTML escaped.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(visible(text)), " ") {
		if strings.ContainsRune("\\`*_{}[]()<>#+!|~&@$", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cell returns text for a table cell.
func cell(text string) string { return escaped(text) }

// code returns text between backquotes.
func code(text string) string {
	return "`" + strings.NewReplacer("`", "'", "|", `\|`).Replace(strings.Join(strings.Fields(visible(text)), " ")) + "`"
}

// visible replaces invisible characters, except line ends and tabs.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}
