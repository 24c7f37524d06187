package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func config(jobs int, kinds ...*Kind) Config {
	if kinds == nil {
		kinds = Kinds()
	}
	return Config{Jobs: jobs, Seed: 1, Workers: 2, Kinds: kinds, Every: time.Hour, Patience: time.Minute, Memory: 1024,
		Progress: new(bytes.Buffer), release: make(chan struct{})}
}

// Catches: a kind that does not run all of its jobs, or that accounts for too few, or too many. Odd
// numbers leave a rest to each batch.
func TestEveryKindAlone(t *testing.T) {
	for _, k := range Kinds() {
		for _, jobs := range []int{1, 2, 3, k.Size + 5} {
			result, err := Run(context.Background(), config(jobs, k))
			if err != nil || len(result.Defects) > 0 || result.Total.Jobs() != jobs {
				t.Errorf("%s, %d jobs: %+v, error %v", k.Name, jobs, result, err)
			}
		}
	}
}

// Catches: kinds that spoil each other; an outcome of jobs that no kind produces.
func TestAllKindsTogether(t *testing.T) {
	result, err := Run(context.Background(), config(200_000))
	if err != nil || len(result.Defects) > 0 {
		t.Fatalf("%v, error %v", result.Defects, err)
	}
	all := result.Total
	if all.Jobs() != 200_000 || all.Dropped == 0 || all.Refused == 0 || all.Panicked == 0 || all.Exited == 0 || result.Peak == 0 {
		t.Errorf("%+v, peak %d", all, result.Peak)
	}
}

// Catches: a check that sees nothing. Each plant is a defect that the run has to report by its
// name, and no other.
func TestPlantsAreReported(t *testing.T) {
	for plant, want := range map[Plant]string{
		PlantLost:    "lost: join-fn, batch 0: job 0 never ran",
		PlantTwice:   "run twice: join-fn, batch 0: job 0 ran 2 times",
		PlantWrong:   "wrong result: join-fn, batch 0: the sum by joins of jobs 0 to 99",
		PlantDropped: "ran dropped: join-fn, batch 0: job 0 ran 1 times",
		PlantRefused: "ran refused: join-fn, batch 0: job 0 ran 1 times",
		PlantCounter: `wrong counter: pool "main" has taken 1 jobs from outside, and was given 2`,
		PlantLeak:    "goroutine leak: 1 goroutines are left, one of them:\ngoroutine ",
		PlantMemory:  "memory growth: ",
		PlantHang:    "hang: join-fn, batch 0: ",
	} {
		c := config(100, Kinds()[0])
		c.Plant = plant
		var progress bytes.Buffer
		if plant == PlantHang {
			c.Patience, c.Progress = 50*time.Millisecond, &progress
		}
		result, err := Run(context.Background(), c)
		close(c.release) // what hangs or leaks ends, as TestMain sees
		if err != nil || len(result.Defects) != 1 || !strings.HasPrefix(result.Defects[0].String(), want) {
			t.Errorf("%s: %v, error %v; want %q", plant, result.Defects, err, want)
		}
		if plant == PlantHang {
			if d := result.Defects[0].String(); !strings.Contains(d, " of 100 jobs have not run: job 0") || !strings.HasSuffix(d, " for 50ms") {
				t.Errorf("%s: want the job that hangs, and for how long", d)
			}
			for _, part := range []string{"pool \"main\", given 1 jobs", "worker 0 of main", "goroutine ", "soak.(*batch).run("} {
				if !strings.Contains(progress.String(), part) {
					t.Errorf("the dump of a hang does not have %q:\n%.2000s", part, &progress)
				}
			}
		}
	}
	if len(Plants()) != 9 {
		t.Errorf("%d plants", len(Plants()))
	}
}

// Catches: an unexpected panic, and that is not reported.
func TestForeignPanicIsReported(t *testing.T) {
	k := &Kind{Name: "foreign", Share: 1, Size: 1, run: func(b *batch) {
		b.run(0)
		b.expect(1)
		b.send(b.env.p, 0, b.env.p.Go, nil)
		if b.reported[0] != refused {
			b.defect("test", "a job that is nil was accepted")
		}
		b.reported[0] = accepted
	}}
	result, err := Run(context.Background(), config(1, k))
	if err != nil || len(result.Defects) != 1 || result.Defects[0].What != WrongResult {
		t.Errorf("%v, error %v; want a job that was refused", result.Defects, err)
	}
}

// Catches: an end by the clock that is waited for, or taken for a defect, or whose jobs are not
// accounted for.
func TestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	k := &Kind{Name: "one", Share: 1, Size: 10, run: func(b *batch) {
		joinFn(b)
		cancel()
	}}
	result, err := Run(ctx, config(1_000_000, k))
	if n := result.Total.Jobs(); err != nil || len(result.Defects) > 0 || n < 10 || n > 10*Drivers {
		t.Errorf("%d jobs, %v, error %v", n, result.Defects, err)
	}
}

// Catches: a run that continues with a thousand defects, or does not say how many there were.
func TestEndsWithManyDefects(t *testing.T) {
	k := &Kind{Name: "none", Share: 1, Size: mostDefects, run: func(*batch) {}}
	result, _ := Run(context.Background(), config(100*mostDefects, k))
	if n := result.Total.Batches; len(result.Defects) != mostDefects || n < 1 || n > Drivers || result.More != (n-1)*mostDefects {
		t.Errorf("%d batches, %d defects and %d more", n, len(result.Defects), result.More)
	}
	if !strings.Contains(result.verdict(), "00 defects") {
		t.Error(result.verdict())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

// Catches: output that is lost and not reported; a line without the kinds.
func TestProgress(t *testing.T) {
	var progress bytes.Buffer
	c := config(100, Kinds()[0])
	c.Every, c.Progress = time.Millisecond, &progress
	c.Kinds[0].run = func(b *batch) {
		joinFn(b)
		time.Sleep(50 * time.Millisecond)
	}
	if _, err := Run(context.Background(), c); err != nil || !strings.Contains(progress.String(), " of 100 jobs, ") {
		t.Errorf("%q, error %v", &progress, err)
	}
	c.Progress = broken{}
	if _, err := Run(context.Background(), c); err == nil {
		t.Error("no error of a writer that has no room")
	}
	if (Result{}).Write(broken{}) == nil {
		t.Error("no error of a writer that has no room for the table")
	}
}

// Catches: a table of the kinds in README.md that is not that of the program.
func TestReadmeHasTheKinds(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "<!-- kinds of the soak -->\n\n")
	table, _, _ := strings.Cut(after, "\n<!-- end of kinds -->")
	var want strings.Builder
	want.WriteString("| kind | share | what |\n|---|---:|---|\n")
	for _, k := range Kinds() {
		fmt.Fprintf(&want, "| %s | %g %% | %s |\n", k.Name, k.Share, k.What)
	}
	if table != want.String() {
		t.Errorf("the table of kinds in README.md is\n%s\nwant\n%s", table, &want)
	}
}
