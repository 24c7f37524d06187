package unmodified

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/rouse-go/rouse/chaos/goroot"
)

// uncontrolledBar is the maximum ratio of a benchmark with the overlay, for the benchmarks in
// heldToBar.
const uncontrolledBar = 1.1

var heldToBar = []string{"Mutex", "Channel", "Select", "PingPong"}

var benchmarkLine = regexp.MustCompile(`(?m)^Benchmark(\w+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op`)

// Uncontrolled prints the cost of operations in an uncontrolled build with the overlay, beside a build
// without: the least of rounds rounds, in turn, as other load only adds. It writes the results to two
// files for benchstat, and returns the benchmarks in heldToBar that exceed the bar.
func Uncontrolled(ctx context.Context, source, folder string, rounds int, out io.Writer) (missed []string, err error) {
	module := filepath.Join(source, "chaos/goroot/testdata/cost")
	made, err := goroot.Make(ctx, goroot.Options{Dir: module})
	if err != nil {
		return nil, err
	}
	builds := []struct {
		name  string
		flags []string
	}{{"stock", nil}, {"overlay", made.Flags}}
	times := make([]map[string][]float64, len(builds))
	var names []string
	var texts [2]bytes.Buffer
	for i, b := range builds {
		cmd := exec.CommandContext(ctx, made.Go, slices.Concat([]string{"test", "-vet=off", "-c", "-o", filepath.Join(folder, b.name)}, b.flags, []string{"."})...)
		cmd.Dir, cmd.Env = module, append(append(os.Environ(), made.Env...), "GOFLAGS=")
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, text)
		}
		times[i] = map[string][]float64{}
	}
	for range rounds {
		for i, b := range builds {
			text, err := exec.CommandContext(ctx, filepath.Join(folder, b.name), "-test.run=^$", "-test.bench=.", "-test.benchtime=30ms").Output()
			if err != nil {
				return nil, err
			}
			texts[i].Write(text)
			for _, m := range benchmarkLine.FindAllStringSubmatch(string(text), -1) {
				ns, err := strconv.ParseFloat(m[2], 64)
				if err != nil {
					return nil, err
				}
				if !slices.Contains(names, m[1]) {
					names = append(names, m[1])
				}
				times[i][m[1]] = append(times[i][m[1]], ns)
			}
		}
	}
	for i, b := range builds {
		if err := os.WriteFile(filepath.Join(folder, b.name+".txt"), texts[i].Bytes(), 0o666); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(out, "%-14s %10s %10s %8s\n", "ns/op", builds[0].name, builds[1].name, "ratio")
	for _, name := range names {
		stock, overlay := slices.Min(times[0][name]), slices.Min(times[1][name])
		fmt.Fprintf(out, "%-14s %10.2f %10.2f %8.2f\n", name, stock, overlay, overlay/stock)
		if overlay > uncontrolledBar*stock && slices.Contains(heldToBar, name) {
			missed = append(missed, name)
		}
	}
	return missed, nil
}
