package mutate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/internal/process"
)

// lines holds the lines that have been added or changed, by file name.
type lines map[string][]span

// A span is a range of lines, both included.
type span struct{ first, last int }

// every covers all lines, for a file that git does not know.
var every = span{1, 1 << 30}

func (l lines) has(file string, first, last int) bool {
	for _, s := range l[file] {
		if first <= s.last && s.first <= last {
			return true
		}
	}
	return false
}

// changedSince returns the lines that have changed since a commit: the lines of the work tree that differ from
// the merge base of that commit and HEAD.
func changedSince(ctx context.Context, ref string) (lines, error) {
	root, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, refused("--since: %v", err)
	}
	root = strings.TrimSuffix(root, "\n")
	if strings.HasPrefix(ref, "-") {
		return nil, refused("--since: %q is no commit", ref)
	}
	commit, err := git(ctx, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	if err != nil {
		return nil, refused("--since: %s is no commit that this repository has; a shallow clone may have to fetch it", ref)
	}
	commit = strings.TrimSpace(commit)
	if base, err := git(ctx, "merge-base", commit, "HEAD"); err == nil {
		commit = strings.TrimSpace(base)
	}
	diff, err := git(ctx, "-C", root, "-c", "core.quotePath=false", "diff", "-U0", "--no-color", "--no-ext-diff", "--no-renames",
		"--src-prefix=a/", "--dst-prefix=b/", commit, "--", "*.go")
	if err != nil {
		return nil, refused("--since: %v", err)
	}
	changed := readDiff(root, diff)
	others, err := git(ctx, "-C", root, "ls-files", "-z", "--others", "--exclude-standard", "--", "*.go")
	if err != nil {
		return nil, refused("--since: %v", err)
	}
	for name := range strings.SplitSeq(others, "\x00") {
		if name != "" {
			changed[filepath.Join(root, filepath.FromSlash(name))] = []span{every}
		}
	}
	return changed, nil
}

var hunk = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// readDiff reads the lines that a diff without context adds or changes.
func readDiff(root, diff string) lines {
	changed := lines{}
	file, left := "", 0 // lines of the hunk, which may look like those of the diff
	for line := range strings.Lines(diff) {
		if left > 0 && (line[0] == '-' || line[0] == '+') {
			left--
			continue
		}
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
			if quoted, err := strconv.Unquote(name); err == nil {
				name = quoted
			}
			name = strings.TrimSuffix(name, "\t") // git ends a name with blanks with a tab
			file = filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(name, "b/")))
			continue
		}
		m := hunk.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		first, _ := strconv.Atoi(m[2])
		removed, added := countOf(m[1]), countOf(m[3])
		if left = removed + added; added > 0 {
			changed[file] = append(changed[file], span{first, first + added - 1})
		}
	}
	return changed
}

// countOf returns the number of lines in a hunk header, which is 1 if it is left out.
func countOf(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 1
	}
	return n
}

// git runs git in the current folder.
func git(ctx context.Context, args ...string) (string, error) {
	cmd := process.Command(ctx, "git", args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := process.Run(cmd)
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("there is no git command in $PATH")
	case err != nil:
		text, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(errs.String()), "fatal: "), "\n")
		return "", fmt.Errorf("git: %s", text)
	}
	return out.String(), nil
}

// changed reports whether the mutant changes one of the given lines.
func (m *mutant) changed(in lines) bool {
	file := m.File
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // as git names files
	}
	if in.has(file, m.Position.Line, m.Position.Line) {
		return true
	}
	for _, e := range m.Edits {
		first := 1 + bytes.Count(m.source[:e.Start], []byte("\n"))
		last := first + bytes.Count(bytes.TrimSuffix(m.source[e.Start:e.End], []byte("\n")), []byte("\n"))
		if in.has(file, first, last) {
			return true
		}
	}
	return false
}
