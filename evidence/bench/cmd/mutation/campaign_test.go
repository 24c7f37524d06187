package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/internal/command"
)

// fakeStress acts for stress run. A mutant changes its constant.
const fakeStress = `package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

const fails = false

func main() {
	fmt.Println("{\"kind\":\"campaign\"}")
	fmt.Println("{\"kind\":\"scenario\",\"name\":\"control\",\"verdict\":\"leak\",\"as_expected\":true}")
	fmt.Println("{\"kind\":\"scenario\",\"name\":\"rare\",\"verdict\":\"never-reached\",\"open\":true}")
	long := strings.Contains(strings.Join(os.Args, " "), "--for 1h0m0s --seed 7") && os.Args[2] != "controls"
	if fails && long {
		fmt.Println("{\"kind\":\"scenario\",\"name\":\"join\",\"verdict\":\"deadlock\",\"summary\":\"no task can continue\"}")
		time.Sleep(time.Hour) // until it is interrupted
	}
}
`

// checkout is a module with a fake of cmd/stress.
func checkout(t *testing.T) string {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "cmd", "stress"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module fake\n\ngo 1.26\n", "cmd/stress/main.go": fakeStress} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Catches: a mutant that is not built in, here or in another checkout, a report that is not seen, a campaign
// that goes on after it, and limits that are not used.
func TestCampaign(t *testing.T) {
	here, there := checkout(t), checkout(t)
	mutant := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(mutant, []byte(strings.Replace(fakeStress, "fails = false", "fails = true", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(overlay, fmt.Appendf(nil, "{\"Replace\":{%q:%q}}", filepath.Join(there, "cmd", "stress", "main.go"), mutant), 0o600); err != nil {
		t.Fatal(err)
	}
	reported := regexp.MustCompile(`(^|: )\d+\.\d\d s: join: deadlock: no task can continue\n$`)
	for _, c := range []struct {
		flags, args string
		code        int
		out         string
	}{
		{"", "--checkout " + here, 0, "nothing in 30s\n"},
		{"'-overlay=" + overlay + "'", "--checkout " + there + " --for 1m,1h --seed 7", command.ExitFound, "nothing in 1m0s\n"},
		{"'-overlay=" + overlay + "'", "--checkout " + there + " --for 1h --seed 8", 0, "nothing in 1h0m0s\n"},
		{"'-overlay=" + overlay + "'", "--checkout " + here + " --for 1h --seed 7", 0, "nothing in 1h0m0s\n"},
		{"'-overlay=" + overlay + "'", "--checkout " + here + " --of " + there + " --for 1h --seed 7", command.ExitFound, ""},
		{"'-overlay=" + overlay + "'", "--checkout " + there + " join --for 1h --seed 7", command.ExitFound, ""},
		{"'-overlay=" + overlay + "'", "--checkout " + there + " controls --for 1h --seed 7", 0, "nothing in 1h0m0s\n"},
		{"", "--checkout " + t.TempDir(), command.ExitTool, ""},
	} {
		t.Setenv("GOFLAGS", c.flags)
		code, out, errs := run(t, append([]string{"campaign"}, strings.Fields(c.args)...)...)
		if code != c.code || out != c.out || (code == command.ExitFound) != reported.MatchString(errs) {
			t.Errorf("%s: exit code %d, %q, %q", c.args, code, out, errs)
		}
	}
}
