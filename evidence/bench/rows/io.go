package rows

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/rouse-go/rouse/evidence/bench/gopools"
	"github.com/rouse-go/rouse/evidence/bench/measure"
	"github.com/rouse-go/rouse/evidence/bench/peers"
	"github.com/rouse-go/rouse/internal/private"
)

// pause is how long a job of io-sleep sleeps, and the server of io-http before it answers.
const pause = time.Millisecond

// fileSize is the size of the files that io-files reads.
const fileSize = 16 << 10

// otherFiles is the maximum number of other files that a process has open.
const otherFiles = 100

// A blockingJob describes the jobs of a row, each of which gets its number.
type blockingJob struct {
	name, about string
	most        int // jobs of a turn, at most
	open        int // files and connections of a job
	// begin prepares a turn with inFlight jobs in flight. end is called when all are done.
	begin func(inFlight int) (job func(i int) error, end func(), err error)
}

// io measures the throughput and the latency of jobs that block, with a bound on the jobs in flight.
// One goroutine starts them. A job's latency is from the call that starts it, which waits while the
// bound is reached, to its end.
func (s *Setup) io() (rows []peers.Row) {
	const perJob, cpuPerJob = "ns/job", cpu + "/job"
	for _, work := range []blockingJob{
		{"io-files", fmt.Sprintf("read a file of %d KiB, which the system has cached", fileSize>>10), s.Jobs / 50, 1, readFiles},
		{"io-http", fmt.Sprintf("get an answer from an HTTP server on the loopback, in the same process, which waits for %v first", pause), s.Jobs / 50, 2, getPages},
		{"io-sleep", fmt.Sprintf("sleep for %v", pause), s.Jobs / 5, 0, sleepAWhile},
	} {
		for _, inFlight := range []int{2, 16, 256, 4096} {
			n := min(s.Waves*inFlight, work.most)
			missing := ""
			if need, most := work.open*min(n, inFlight)+otherFiles, mostOpenFiles(); need > most {
				missing = fmt.Sprintf("want %d open files, the limit is %d (ulimit -n)", need, most)
			}
			row := peers.Row{
				Name:    fmt.Sprintf("%s/%d", work.name, inFlight),
				About:   fmt.Sprintf("%d jobs that %s, at most %d at a time; one goroutine starts them.", n, work.about, inFlight),
				Metrics: []string{perJob, p50, p99, cpuPerJob},
			}
			for _, kind := range gopools.Limited() {
				row.Contestants = append(row.Contestants, peers.Contestant{Name: kind.Name, Missing: missing, Turn: func(context.Context) (peers.Figures, error) {
					job, end, err := work.begin(inFlight)
					if err != nil {
						return nil, err
					}
					defer end()
					p, err := kind.New(inFlight)
					if err != nil {
						return nil, err
					}
					if _, err := startAll(p, min(n, inFlight), job); err != nil { // connections, stacks
						return nil, err
					}
					var took []float64
					cost, err := measure.Of(func() error {
						took, err = startAll(p, n, job)
						return err
					})
					p.Wait()
					if err != nil {
						return nil, err
					}
					figures, err := latencies(took)
					figures[perJob] = float64(cost.Wall) / float64(n)
					figures[cpuPerJob] = float64(cost.CPU) / float64(n)
					return figures, err
				}})
			}
			what := fmt.Sprintf("%s, %d in flight", work.name, inFlight)
			row.Bounds = []peers.Bound{
				{What: what, Of: "rouse", Metric: perJob, Over: gopools.Peers(), Limit: 1.05},
				{What: what + ": p99", Of: "rouse", Metric: p99, Over: gopools.Peers(), Limit: 1.05},
				{What: what + ": processor time", Of: "rouse", Metric: cpuPerJob, Over: gopools.Peers(), Limit: 1.05},
			}
			rows = append(rows, row)
		}
	}
	return append(rows, s.idleAfterBurst())
}

// startAll runs n jobs in p, and returns how long each took, in ns, when all are done.
func startAll(p gopools.Pool, n int, job func(i int) error) ([]float64, error) {
	took := make([]float64, n)
	var failed atomic.Pointer[error]
	var left atomic.Int64
	left.Store(int64(n))
	over := make(chan struct{})
	for i := range n {
		begun := time.Now()
		p.Go(func() {
			if err := job(i); err != nil {
				failed.Store(&err)
			}
			took[i] = float64(time.Since(begun))
			if left.Add(-1) == 0 {
				close(over)
			}
		})
	}
	<-over
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return took, nil
}

func sleepAWhile(int) (func(int) error, func(), error) {
	return func(int) error {
		time.Sleep(pause)
		return nil
	}, func() {}, nil
}

func readFiles(int) (func(int) error, func(), error) {
	const files = 64
	folder, remove, err := private.Temporary("io")
	if err != nil {
		return nil, nil, err
	}
	end := func() { _ = remove() }
	var paths [files]string
	for i := range paths {
		paths[i] = filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(paths[i], make([]byte, fileSize), 0o600); err != nil {
			end()
			return nil, nil, err
		}
	}
	return func(i int) error {
		b, err := os.ReadFile(paths[i%files])
		if err == nil && len(b) != fileSize {
			err = fmt.Errorf("read %d bytes, want %d", len(b), fileSize)
		}
		return err
	}, end, nil
}

func getPages(inFlight int) (func(int) error, func(), error) {
	const page = "a page"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(pause)
		_, _ = io.WriteString(w, page)
	}))
	transport := &http.Transport{MaxIdleConnsPerHost: inFlight, DialContext: dialToReset}
	client := http.Client{Transport: transport}
	end := func() {
		transport.CloseIdleConnections()
		server.Close()
	}
	return func(int) error {
		answer, err := client.Get(server.URL)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if b, err := io.ReadAll(answer.Body); err != nil || string(b) != page {
			return fmt.Errorf("got %q, %w", b, err)
		}
		return nil
	}, end, nil
}

// dialToReset dials a connection that is reset when closed: thousands of connections, turn after
// turn, would otherwise use up the ports.
func dialToReset(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return c, c.(*net.TCPConn).SetLinger(0)
}

// burst is the number of blocking jobs in flight before io-idle measures.
const burst = 256

// idleAfterBurst measures the processor time of a process after a burst of blocking jobs, each in a
// child process.
func (s *Setup) idleAfterBurst() peers.Row {
	milliseconds := int(s.Idle / time.Millisecond)
	row := peers.Row{
		Name:    "io-idle",
		About:   fmt.Sprintf("Processor time of a process of its own in the %v after %d jobs at a time have slept for %v, with nothing to do.", s.Idle, burst, pause),
		Metrics: []string{cpu},
		Contestants: []peers.Contestant{
			s.child(none, exactly(float64(milliseconds)), inCPU, "io-idle", noKind, milliseconds),
		},
		Bounds: []peers.Bound{
			{What: "io-idle, processor time", Of: "rouse", Metric: cpu, Over: []string{none}, How: peers.Beyond, Limit: measurable},
		},
	}
	for i, kind := range gopools.Limited() {
		row.Contestants = append(row.Contestants, s.child(kind.Name, exactly(float64(milliseconds)), inCPU, "io-idle", i, milliseconds))
	}
	return row
}

// idlingAfterBurst is the turn of a child.
func idlingAfterBurst(kind, milliseconds int) (float64, []float64, error) {
	end := func() {}
	if kinds := gopools.Limited(); kind != noKind {
		if kind < 0 || kind >= len(kinds) {
			return 0, nil, fmt.Errorf("no kind %d", kind)
		}
		p, err := kinds[kind].New(burst)
		if err != nil {
			return 0, nil, err
		}
		end = p.Wait
		job, _, _ := sleepAWhile(burst)
		if _, err := startAll(p, 4*burst, job); err != nil {
			return 0, nil, err
		}
	}
	runtime.GC()
	time.Sleep(100 * time.Millisecond) // until the burst is over
	before := measure.CPU()
	time.Sleep(time.Duration(milliseconds) * time.Millisecond)
	took := measure.CPU() - before
	end()
	return float64(milliseconds), []float64{float64(took)}, nil
}
