package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/rouse-go/rouse"
)

var (
	scriptIn = regexp.MustCompile(`\bCI/[a-z-]+\.sh\b`)
	flagIn   = regexp.MustCompile(`(?:^| )--([a-z-]+)`)
	fewIn    = regexp.MustCompile(`few=\(([a-z -]+)\)`)
)

func ciFile(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestJobFiles: they are YAML, and what they call is there.
func TestJobFiles(t *testing.T) {
	called := map[string]bool{}
	for name, keys := range map[string][]string{
		"github.yml": {"on", "permissions", "jobs"}, "gitlab.yml": {"stages", "gate", "nightly", "releases", "shard", "merge", "replay"},
		"kubernetes.yaml": {"apiVersion", "kind", "metadata"}, "module.yml": {"on", "permissions", "jobs"}, "mutate.yml": {"on", "permissions", "jobs"},
	} {
		text := ciFile(t, "CI", name)
		d := yaml.NewDecoder(bytes.NewReader([]byte(text)), yaml.Strict())
		documents := 0
		for {
			var doc map[string]any
			if err := d.Decode(&doc); err != nil {
				if err.Error() != "EOF" {
					t.Errorf("%s: %v", name, err)
				}
				break
			}
			documents++
			for _, key := range keys {
				if doc[key] == nil {
					t.Errorf("%s: document %d has no %s", name, documents, key)
				}
			}
		}
		if want := 1 + strings.Count(text, "\n---\n"); documents != want {
			t.Errorf("%s: %d documents, want %d", name, documents, want)
		}
		for _, script := range scriptIn.FindAllString(text, -1) {
			called[script] = true
			if info, err := os.Stat(filepath.Join("..", "..", script)); err != nil || info.Mode()&0o111 == 0 {
				t.Errorf("%s calls %s, which is none that can be called: %v", name, script, err)
			}
		}
	}
	for _, script := range []string{"pull-request", "nightly", "shard", "merge", "replay"} {
		if !called["CI/"+script+".sh"] {
			t.Errorf("no job calls CI/%s.sh", script)
		}
	}
	if ciFile(t, "CI", "github.yml") != ciFile(t, ".github", "workflows", "ci.yml") {
		t.Error(".github/workflows/ci.yml is not CI/github.yml")
	}
}

var (
	campaignIn = regexp.MustCompile(`(?m)^(?:short \|\| )?step(?:_on|_beside)? ".*" campaign ([a-z-]+) (.*)$`)
	variantIn  = regexp.MustCompile(`--variant (\S+)`)
)

// withoutRace returns the campaigns of a script that it does not run with the race detector as well: under the
// name with -race, with the same variants, once stress is built so.
func withoutRace(script string) (names []string) {
	plain, race, _ := strings.Cut(script, "build_stress -race")
	counterparts := map[string]string{}
	for _, m := range campaignIn.FindAllStringSubmatch(race, -1) {
		counterparts[m[1]] = variantIn.FindString(m[2])
	}
	for _, m := range campaignIn.FindAllStringSubmatch(plain, -1) {
		if variants, ok := counterparts[m[1]+"-race"]; !ok || variants != variantIn.FindString(m[2]) {
			names = append(names, m[1])
		}
	}
	return names
}

// TestCampaignsRunWithTheRaceDetector: in the gate and at night. The gate runs one of each entry of the pool.
func TestCampaignsRunWithTheRaceDetector(t *testing.T) {
	for name, least := range map[string]int{"pull-request.sh": 6, "nightly.sh": 4} {
		script := ciFile(t, "CI", name)
		if n := len(campaignIn.FindAllString(script, -1)); n < least {
			t.Errorf("CI/%s: %d campaigns, want at least %d", name, n, least)
		}
		if names := withoutRace(script); len(names) > 0 {
			t.Errorf("CI/%s: %v run without the race detector only", name, names)
		}
	}
	if !strings.Contains(ciFile(t, "CI", "pull-request.sh"), " campaign entries --group entries ") {
		t.Error("CI/pull-request.sh: no campaign of the group entries")
	}
	for planted, want := range map[string]string{
		"step \"a\" campaign a --for 1s\nstep \"b\" build_stress -race -tags chaos\n":                                                     "[a]",
		"step \"b\" build_stress -race\nstep \"a\" campaign a --for 1s\nstep \"a\" campaign a-race --for 1s\n":                            "[]",
		"step \"a\" campaign a --variant x --for 1s\nstep \"b\" build_stress -race\nstep_on \"a\" campaign a-race --variant y --for 1s\n": "[a]",
		"step \"a\" campaign a --for 1s\nstep \"b\" build_stress -race\nstep_on \"a\" campaign a-race --for 1s\n":                         "[]",
	} {
		if got := fmt.Sprint(withoutRace(planted)); got != want {
			t.Errorf("%q: %s, want %s", planted, got, want)
		}
	}
}

// TestScripts: each is run by the gate, and stress takes the flags and has the scenarios that they name.
func TestScripts(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "..", "CI", "*.sh"))
	if err != nil || len(scripts) < 7 {
		t.Fatal(err, scripts)
	}
	gate := ciFile(t, "CI", "steps.sh")
	takes := map[string]string{}
	for _, command := range []string{"run", "merge", "replay", "validate", "mutants", "mutate"} {
		got := in(t, t.TempDir(), chaosBinary, "help", command)
		got.want(t, 0)
		takes[command] = got.out
	}
	steps := map[string]string{"campaign": "run", "go_on": "run", "merge": "merge", "replay": "replay", "mutants": "mutants"}
	flags := 0
	for _, path := range scripts {
		name := filepath.Base(path)
		if !slices.Contains([]string{"steps.sh", "pull-request.sh"}, name) && !strings.Contains(gate, "CI/"+name) {
			t.Errorf("the gate does not run CI/%s in its short form", name)
		}
		for line := range strings.SplitSeq(ciFile(t, "CI", name), "\n") {
			_, call, is := strings.Cut(strings.ReplaceAll(line, "$binary", "stress"), `"$work/stress" `)
			command, _, _ := strings.Cut(call, " ")
			if _, step, ok := strings.Cut(line, `" `); !is && ok && strings.Contains(line, "step") {
				call = step
				command, _, _ = strings.Cut(step, " ")
				command = steps[command]
			}
			if takes[command] == "" {
				continue
			}
			for _, m := range flagIn.FindAllStringSubmatch(call, -1) {
				if flags++; !strings.Contains(takes[command], "--"+m[1]+" ") {
					t.Errorf("CI/%s: stress %s takes no --%s", name, command, m[1])
				}
			}
		}
	}
	if flags < 15 {
		t.Errorf("%d flags", flags)
	}
	few := fewIn.FindStringSubmatch(gate)
	if few == nil {
		t.Fatal("no scenarios of the short form")
	}
	for scenario := range strings.FieldsSeq(few[1] + " controlled-dropped-job") {
		if !strings.Contains(string(rouse.Scenarios), "- name: "+scenario+"\n") {
			t.Errorf("there is no scenario %s", scenario)
		}
	}
}
