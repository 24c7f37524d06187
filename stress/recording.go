package stress

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rouse-go/rouse/internal/atomicfile"
)

// RecordingVersion is the version of the recordings that this package writes and
// reads.
const RecordingVersion = 1

// A Recording is what an execution that was convicted leaves behind: enough to
// run it again, and what was seen.
//
// Its file is text: a first line "rouse recording 1", YAML in which the scenario
// stands as it would in scenarios.yaml, and a last line "end sha256 HASH" over all
// that precedes it, so that a torn or edited file is known as such.
type Recording struct {
	Scenario     Scenario
	CampaignSeed uint64
	Build        Build
	// Result is the execution; its Points and Duration are not kept.
	Result Result
}

// NewRecording is the recording of an execution of the scenario on this machine.
func NewRecording(sc *Scenario, campaignSeed uint64, r *Result) *Recording {
	rec := &Recording{Scenario: *sc, CampaignSeed: campaignSeed, Build: ThisBuild(), Result: *r}
	rec.Result.Points, rec.Result.Duration = nil, 0
	rec.Result.Summary = strings.ToValidUTF8(r.Summary, "\uFFFD")
	rec.Result.Explanation = nil
	for _, e := range r.Explanation[:min(len(r.Explanation), maxExplanation)] {
		rec.Result.Explanation = append(rec.Result.Explanation, strings.ToValidUTF8(e, "\uFFFD"))
	}
	for _, d := range rec.Result.dumps() {
		*d.text = printable(*d.text)
	}
	return rec
}

// What a recording keeps at most, so that it can be read again.
const (
	maxExplanation = 200    // lines
	maxDump        = 20_000 // lines of each dump: the first and the last half
	// maxRecordingLines are those of the three dumps, and more than the rest has, which is at most
	// what yamltree reads.
	maxRecordingLines = 3*(maxDump+2) + 256<<10
)

const (
	recordingTitle = "rouse recording "
	recordingEnd   = "end sha256 "
)

// Encode writes the recording.
func (r *Recording) Encode() []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s%d", recordingTitle, RecordingVersion)
	line("# stress replay FILE runs this execution again. The scenario can be pasted")
	line("# into a scenario file.")
	line("scenarios:")
	b.WriteString(encodeScenario(&r.Scenario, "  "))
	line("execution: {campaign-seed: %#x, number: %d, seed: %#x, workers: %d}",
		r.CampaignSeed, r.Result.Execution, r.Result.Seed, r.Result.Workers)
	line("build: {version: %s, go: %s, os: %s, arch: %s, maxprocs: %d, race: %s}",
		strconv.Quote(r.Build.Version), strconv.Quote(r.Build.Go), quoted(r.Build.OS), quoted(r.Build.Arch),
		r.Build.MaxProcs, strconv.FormatBool(r.Build.Race))
	line("verdict: %s", r.Result.Verdict)
	line("summary: %s", strconv.Quote(r.Result.Summary))
	line("explanation:%s", orEmpty(len(r.Result.Explanation)))
	for _, e := range r.Result.Explanation {
		line("  - %s", strconv.Quote(e))
	}
	line("faults:%s", orEmpty(len(r.Result.Faults)))
	for _, f := range r.Result.Faults {
		expired := ""
		if f.Expired > 0 {
			expired = fmt.Sprintf(", expired: %d", f.Expired)
		}
		line("  - {at: %s, fault: %s, hits: %d, fires: %d%s}", quoted(f.At), f.Kind, f.Hits, f.Fires, expired)
	}
	for _, d := range r.Result.dumps() {
		line("%s:%s", d.key, literal(*d.text))
	}
	return []byte(b.String() + endLine(b.String()))
}

// endLine is the last line of a recording with that text.
func endLine(text string) string {
	return fmt.Sprintf("%s%x\n", recordingEnd, sha256.Sum256([]byte(text)))
}

type dump struct {
	key  string
	text *string
}

// dumps are the parts that a file holds as blocks of text.
func (r *Result) dumps() []dump {
	return []dump{{"state", &r.State}, {"events", &r.Events}, {"goroutines", &r.Goroutines}}
}

func orEmpty(n int) string {
	if n == 0 {
		return " []"
	}
	return ""
}

// literal is text as a YAML literal block, indented by two.
func literal(text string) string {
	if text == "" {
		return ` ""`
	}
	var b strings.Builder
	b.WriteString(" |2-")
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString("\n")
		if line != "" {
			b.WriteString(blockIndent + line)
		}
	}
	return b.String()
}

const blockIndent = "  "

// printable is text as a recording can hold it: lines without trailing space,
// and nothing in them that does not print.
func printable(text string) string {
	lines := strings.Split(text, "\n")
	if over := len(lines) - maxDump; over > 0 {
		lines = slices.Replace(lines, maxDump/2, maxDump/2+over, fmt.Sprintf("... %d lines left out ...", over))
	}
	for i, l := range lines {
		lines[i] = strings.TrimRight(escape(l), " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func escape(line string) string {
	var b strings.Builder
	for len(line) > 0 {
		r, size := utf8.DecodeRuneInString(line)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, line[0])
		case r != '\t' && !unicode.IsPrint(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteString(line[:size])
		}
		line = line[size:]
	}
	return b.String()
}

// WriteRecording writes the recording into the folder, which it creates if need
// be, and returns the path of the file. The file appears complete or not at all,
// and never replaces another. Folders that it created for nothing are removed.
func WriteRecording(dir string, r *Recording) (path string, err error) {
	return writeNew(dir, r.name(), r.Encode())
}

// writeSchedule is WriteRecording for a conviction under control.
func writeSchedule(dir string, campaignSeed uint64, t *tally) (path string, err error) {
	return writeNew(dir, recordingName(t.scenario, campaignSeed, t.conviction), []byte(t.schedule))
}

func writeNew(dir, name string, text []byte) (path string, err error) {
	if path, err = atomicfile.WriteNumbered(filepath.Join(dir, name), recordingEnding, text); err != nil {
		return "", fmt.Errorf("cannot write a recording: %w", err)
	}
	return path, nil
}

// name is the file name without its ending. Scenario names are lower-case words
// joined by hyphens, so they cannot lead elsewhere.
func (r *Recording) name() string { return recordingName(&r.Scenario, r.CampaignSeed, &r.Result) }

func recordingName(sc *Scenario, campaignSeed uint64, r *Result) string {
	name := sc.Name
	if sc.Pool.Sleep != "" {
		name += "-" + sc.Pool.Sleep
	}
	return fmt.Sprintf("%s-%016x-%d", name, campaignSeed, r.Execution)
}
