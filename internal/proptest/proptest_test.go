package proptest

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(Main(m)) }

// Catches: a seed from the environment that overrides the flag, a hexadecimal one
// read as decimal, garbage taken for a number.
func TestChooseSeed(t *testing.T) {
	random := func() uint64 { return 77 }
	for _, c := range []struct {
		flag, environment string
		want              uint64
		err               string
	}{
		{"", "", 77, ""},
		{"", "12", 12, ""},
		{"", "0x12", 0x12, ""},
		{"0XfF", "12", 0xff, ""},
		{"18446744073709551615", "", 1<<64 - 1, ""},
		{"0", "12", 0, ""},
		{"12", "garbage", 12, ""},
		{"", "garbage", 0, `environment variable CHAOS_SEED: found "garbage", want a seed: 0 to 18446744073709551615, or hexadecimal with 0x`},
		{"-1", "12", 0, `flag -chaos.seed: found "-1", want a seed`},
		{"0x", "", 0, `flag -chaos.seed: found "0x"`},
		{"18446744073709551616", "", 0, `found "18446744073709551616"`},
		{"1_0", "", 0, `found "1_0"`},
	} {
		got, err := chooseSeed(c.flag, c.environment, random)
		if got != c.want || (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("flag %q, environment %q: %d, %v; want %d, %q", c.flag, c.environment, got, err, c.want, c.err)
		}
	}
}

// child runs this test binary again, one test of it, with that environment and
// those arguments.
func child(t *testing.T, test string, environment []string, args ...string) (output string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^" + test + "$"}, args...)...)
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// Catches: a bad seed that is ignored, or reported once for each test.
func TestBadSeedFailsTheBinary(t *testing.T) {
	for _, c := range []struct {
		environment, args []string
		want              string
	}{
		{[]string{"CHAOS_SEED=elephant"}, nil, "environment variable CHAOS_SEED: found \"elephant\""},
		{nil, []string{"-chaos.seed=0xelephant"}, "flag -chaos.seed: found \"0xelephant\""},
	} {
		out, code := child(t, "TestChooseSeed", c.environment, c.args...)
		if code != 2 || strings.Count(out, "\n") != 1 || !strings.HasPrefix(out, c.want) {
			t.Errorf("%v %v: exit code %d, output:\n%s", c.environment, c.args, code, out)
		}
	}
}

var fails = flag.Bool("proptest.fails", false, "TestFailing fails, for TestFailureSaysHowToReproduce")

// TestFailing holds for numbers below 1000, and is wrong about the others.
func TestFailing(t *testing.T) {
	limit := 1 << 30
	if *fails {
		limit = 1000
	}
	Check(t, 200, 100, prop.ForAll(func(n int) bool { return n < limit }, gen.IntRange(0, 1<<20)))
}

// Catches: a failure that does not show the seed, the command or the shrunk
// counterexample; a seed that does not repeat the run.
func TestFailureSaysHowToReproduce(t *testing.T) {
	first, code := child(t, "TestFailing", []string{"CHAOS_SEED=0xabc"}, "-proptest.fails")
	if code != 1 {
		t.Fatalf("exit code %d:\n%s", code, first)
	}
	for _, want := range []string{
		"seed 0xabc; the same again: CHAOS_SEED=0xabc go test",
		" -run '^TestFailing$' ./internal/proptest",
		"the property is FAILED after",
		"of shrinking): 1000\n",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is missing:\n%s", want, first)
		}
	}
	found := func(out string) string {
		_, after, _ := strings.Cut(out, "as it was found: ")
		line, _, _ := strings.Cut(after, "\n")
		return line
	}
	second, _ := child(t, "TestFailing", nil, "-proptest.fails", "-chaos.seed=2748") // 0xabc
	if found(first) == "" || found(first) != found(second) {
		t.Errorf("the same seed found %q and %q", found(first), found(second))
	}
	other, _ := child(t, "TestFailing", nil, "-proptest.fails", "-chaos.seed=3")
	if found(other) == found(first) {
		t.Errorf("another seed found %q as well", found(first))
	}
}

// counter is the subject of the machine's own test: it forgets to count at
// brokenAt.
type counter struct{ n, brokenAt int }

func (c *counter) add() int {
	if c.n != c.brokenAt {
		c.n++
	}
	return c.n
}

func counterMachine(brokenAt int) gopter.Prop {
	return Machine[int, *counter]{
		Initial: gen.IntRange(0, 1),
		New:     func(n int) *counter { return &counter{n, brokenAt} },
		Commands: func(int) []Command[int, *counter] {
			return []Command[int, *counter]{
				{Name: "add", Step: func(n int) (int, any) { return n + 1, n + 1 }, Run: func(c *counter) any { return c.add() }},
				{Name: "reset", When: func(n int) bool { return n > 0 }, Step: func(int) (int, any) { return 0, 0 }, Run: func(c *counter) any { c.n = 0; return 0 }},
			}
		},
	}.Property()
}

// Catches: a machine that does not compare, does not shrink, or breaks a
// command's precondition while shrinking (reset of 0 is never part of it).
func TestMachine(t *testing.T) {
	Check(t, 100, 20, counterMachine(-1))

	p := gopter.DefaultTestParametersWithSeed(1)
	p.MaxSize = 20
	r := counterMachine(2).Check(p)
	message := verdict(r)
	if r.Passed() || !strings.Contains(message, "add returned 2, want 3") {
		t.Errorf("broken at 2: %s", message)
	}
	if shrunk := r.Args[0].ArgFormatted; strings.Contains(shrunk, "reset") || strings.Count(shrunk, "add") > 3 {
		t.Errorf("shrunk to %s", shrunk)
	}
}

// Catches: a history that porcupine accepts whatever is in it.
func TestHistory(t *testing.T) {
	model := porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			return output == state.(int)+input.(int), state.(int) + input.(int)
		},
	}
	var good, bad History
	n := 0
	for client := range 3 {
		good.Do(client, 2, func() any { n += 2; return n })
		bad.Do(client, 2, func() any { return 2 })
	}
	good.Check(t, model)
	if bad.Linearizable(model) {
		t.Errorf("accepted:\n%s", &bad)
	}
	if want := "   1 to    2  client 0: 2 -> 2\n"; !strings.HasPrefix(good.String(), want) {
		t.Errorf("got:\n%s", &good)
	}
}
