// Command strategies prints how many executions each strategy takes to find the bugs of
// programs/sctbench, beside published figures, as a Markdown table:
//
//	cd evidence/corpus && go run ./cmd/strategies --seeds 20 --executions 10000
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	goroot "github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// measured lists the programs whose bug does not show under every schedule, by their tests, with the
// published mean numbers of schedules, in the order of the table.
var measured = []struct{ test, published string }{
	{"Account", ""}, {"BluetoothDriver", ""}, {"Carter01", ""}, {"Deadlock01", ""}, {"TokenRing", ""}, {"WrongLock", ""}, {"WrongLock3", ""},
	{"Reorder3", ""}, {"Reorder4", ""}, {"Reorder5", ""}, {"TwoStage", ""},
	{"WSQ", "SURW 6, POS 12, PCT-3 48"}, {"IWSQ", ""}, {"IWSQWS", ""}, {"SWSQ", ""},
	{"Ctrace", ""}, {"Aget", ""}, {"StringBuffer", ""}, {"Bug2", ""}, {"Bug6", ""},
	{"Reorder10", ""}, {"Reorder20", ""},
	{"Reorder20Checker", "shuttle: random never, PCT-3 171 to 2,644, URW 47 to 137"},
	{"Reorder100", "SURW 194; PCT, POS and random never"},
	{"TwoStage20", ""}, {"TwoStage20Readers", "twostage_20: SURW 6, PCT-3 159"}, {"TwoStage100", ""},
	{"QsortMT", "SURW 3,048, not selective 297"},
}

// A measurement holds the flags.
type measurement struct {
	set, run          string
	strategies        []string
	seeds, executions int
	procs             int
}

func main() {
	var m measurement
	flag.StringVar(&m.set, "set", "programs/sctbench", "folder of the programs")
	flag.StringVar(&m.run, "run", "", "regular expression for the programs to measure, all if empty")
	strategies := flag.String("strategies", "random,pct(3),pos,urw,surw,portfolio", "strategies, separated by commas")
	flag.IntVar(&m.seeds, "seeds", 20, "seeds of each strategy")
	flag.IntVar(&m.executions, "executions", 10_000, "executions of a test with a seed, at most")
	flag.IntVar(&m.procs, "procs", 1, "processes at a time")
	flag.Parse()
	m.strategies = strings.Split(*strategies, ",")
	if err := m.measure(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "strategies:", err)
		os.Exit(1)
	}
}

// measure prints the table.
func (m *measurement) measure(ctx context.Context) error {
	selected, err := regexp.Compile(m.run)
	if err != nil {
		return err
	}
	var names []string
	for _, p := range measured {
		if selected.MatchString(p.test) {
			names = append(names, p.test)
		}
	}
	folder, err := os.MkdirTemp("", "strategies-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	tool, err := goroot.Build(ctx, "../..", folder)
	if err != nil {
		return err
	}
	tool.Procs = m.procs
	found := map[string][]int{} // by name and strategy: the executions that failed, from 1
	for _, s := range m.strategies {
		for seed := 1; seed <= m.seeds; seed++ {
			r, err := tool.Test(ctx, m.set, filepath.Join(folder, fmt.Sprint(s, seed)), nil, "./...", "--quiet", "--clock", "lazy", "--strategy", s,
				"--seed", fmt.Sprint(seed), "--executions", fmt.Sprint(m.executions), "--run", "^Test("+strings.Join(names, "|")+")$")
			if err != nil {
				return err
			}
			for _, t := range r.Tests {
				if t.Failed() {
					key := strings.TrimPrefix(t.Test, "Test") + " " + s
					found[key] = append(found[key], t.Execution+1)
				}
			}
			fmt.Fprintf(os.Stderr, "%s, seed %d: %.0f s\n", s, seed, r.Seconds)
		}
	}
	_, err = os.Stdout.WriteString(m.table(names, found))
	return err
}

func (m *measurement) table(names []string, found map[string][]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| program | %s | published |\n|---|%s---|\n", strings.Join(m.strategies, " | "), strings.Repeat("---|", len(m.strategies)))
	for _, p := range measured {
		for _, name := range names {
			if name != p.test {
				continue
			}
			fmt.Fprintf(&b, "| %s", name)
			for _, s := range m.strategies {
				fmt.Fprintf(&b, " | %s", mean(found[name+" "+s], m.seeds))
			}
			fmt.Fprintf(&b, " | %s |\n", p.published)
		}
	}
	return b.String()
}

// mean returns a cell of the table: the mean, and the number of seeds that found the bug, if not all did.
func mean(found []int, seeds int) string {
	if len(found) == 0 {
		return "never"
	}
	sum := 0
	for _, n := range found {
		sum += n
	}
	text := fmt.Sprint((sum + len(found)/2) / len(found))
	if len(found) < seeds {
		text += fmt.Sprintf(" (%d of %d)", len(found), seeds)
	}
	return text
}
