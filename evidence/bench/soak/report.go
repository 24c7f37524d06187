package soak

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// lines writes lines of progress until stop is closed, and checks the memory.
func (r *run) lines(stop <-chan struct{}) error {
	ticker := time.NewTicker(r.Every)
	defer ticker.Stop()
	var failed error
	for {
		select {
		case <-stop:
			return failed
		case <-ticker.C:
		}
		m := readMemory()
		if wrong := r.memory.look(m); wrong != "" {
			r.report(Defect{What: Memory, Detail: wrong})
		}
		if failed == nil {
			_, failed = fmt.Fprintln(r.Progress, r.line(m))
		}
	}
}

func (r *run) line(m reading) string {
	result := r.result()
	var kinds []string
	for _, t := range result.Tallies {
		if n := t.Jobs(); n > 0 {
			kinds = append(kinds, t.Kind+" "+short(n))
		}
	}
	return fmt.Sprintf("%4.0fs  %s of %s jobs, %d MiB: %s", result.Elapsed.Seconds(), short(result.Total.Jobs()), short(r.Jobs), m.inUse>>20, strings.Join(kinds, ", "))
}

// short formats a number for people.
func short(n int) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	default:
		return fmt.Sprint(n)
	}
}

// Write prints the result as a table, and then every defect.
func (r Result) Write(to io.Writer) error {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "kind\tbatches\tjobs\trun\tdropped\trefused\tpanicked\tgoexit\t")
	for _, k := range append(r.Tallies, Tally{"all", r.Total}) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", k.Kind, k.Batches, k.Jobs(), k.Ran, k.Dropped, k.Refused, k.Panicked, k.Exited)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, d := range r.Defects {
		if _, err := fmt.Fprintln(to, d); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(to, "%d jobs in %.0fs, %d MiB of memory at most: %s\n", r.Total.Jobs(), r.Elapsed.Seconds(), r.Peak>>20, r.verdict())
	return err
}

func (r Result) verdict() string {
	if n := len(r.Defects) + r.More; n > 0 {
		return fmt.Sprintf("%d defects", n)
	}
	return "nothing lost, run twice, wrong or leaked, and no hang"
}
