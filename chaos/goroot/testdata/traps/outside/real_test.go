package outside

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// Tests that fail by what is known to be real.

func TestUncontrolledMemory(t *testing.T) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapInuse > 1 {
		t.Error("much memory")
	}
}

func TestUncontrolledMetrics(t *testing.T) {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(s)
	if s[0].Value.Uint64() > 1 {
		t.Error("much memory")
	}
}

func TestUncontrolledCollections(t *testing.T) {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	t.Error(s.NumGC > 0)
}

func TestUncontrolledPercent(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	t.Error("no collection")
}

func TestUncontrolledRecords(t *testing.T) {
	n, _ := runtime.MemProfile(nil, true)
	t.Error(n >= 0)
}

func TestUncontrolledProfile(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.Lookup("mutex").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	t.Error(b.Len() > 0)
}

func TestUncontrolledProfileCount(t *testing.T) {
	t.Error(pprof.Lookup("heap").Count() >= 0)
}

func TestUncontrolledFileTime(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Hour)
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if time.Since(info.ModTime()) >= 0 {
		t.Error("an hour")
	}
}

func TestUncontrolledUsage(t *testing.T) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	t.Error(r.Maxrss > 0)
}

// In most schedules it fails by a file time; in some it deadlocks, which is none of that.
func TestFoundDespiteFileTime(t *testing.T) {
	info, err := os.Stat(".")
	if err != nil {
		t.Fatal(err)
	}
	var a, b sync.Mutex
	var done sync.WaitGroup
	done.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
	done.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
	done.Wait()
	t.Error(info.ModTime())
}

// A program that keeps the collector off, and fails, has failed.
func TestFoundOff(t *testing.T) {
	debug.SetGCPercent(debug.SetGCPercent(-1))
	t.Error("it fails")
}

// System calls for the time return the virtual one.
func TestSystemClock(t *testing.T) {
	began := time.Now()
	clock := func(id uintptr) time.Duration {
		var ts syscall.Timespec
		if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, id, uintptr(unsafe.Pointer(&ts)), 0); err != 0 {
			t.Fatal(err)
		}
		return time.Duration(ts.Nano())
	}
	day := func() time.Duration {
		var tv syscall.Timeval
		if err := syscall.Gettimeofday(&tv); err != nil {
			t.Fatal(err)
		}
		return time.Duration(tv.Nano())
	}
	seconds := func() time.Duration {
		s, err := syscall.Time(nil)
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(s) * time.Second
	}
	const realtime, monotonic = 0, 1
	a, b, c, d := clock(realtime), clock(monotonic), day(), seconds()
	if since := time.Unix(0, int64(a)).Sub(began); since < 0 || since > time.Microsecond {
		t.Error("another time:", since)
	}
	time.Sleep(time.Hour)
	for i, d := range []time.Duration{clock(realtime) - a, clock(monotonic) - b, day() - c, seconds() - d} {
		if d < time.Hour-time.Second || d > time.Hour+time.Second {
			t.Error(i, "an hour is", d)
		}
	}
}

func TestUncontrolledFileStatus(t *testing.T) {
	info, err := os.Stat(".")
	if err != nil {
		t.Fatal(err)
	}
	t.Error(info.Sys() != nil)
}

func TestUncontrolledNanosleep(t *testing.T) {
	begin := time.Now()
	syscall.Nanosleep(&syscall.Timespec{Nsec: 1e6}, nil) //nolint:errcheck // a signal may end it
	if time.Since(begin) < time.Millisecond {
		t.Error("no millisecond")
	}
}

func TestUncontrolledSelect(t *testing.T) {
	begin := time.Now()
	syscall.Select(0, nil, nil, nil, &syscall.Timeval{Usec: 1000}) //nolint:errcheck // likewise
	if time.Since(begin) < time.Millisecond {
		t.Error("no millisecond")
	}
}

func TestUncontrolledChild(t *testing.T) {
	begin := time.Now()
	if err := exec.Command("sleep", "0.01").Run(); err != nil {
		t.Fatal(err)
	}
	if time.Since(begin) < 10*time.Millisecond {
		t.Error("no ten milliseconds")
	}
}

// A process that is not waited for writes a file in real time.
func TestUncontrolledDetached(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := exec.Command("sh", "-c", "(sleep 0.05; echo > "+name+") &").Run(); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if _, err := os.Stat(name); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
	t.Error("not in ten seconds")
}

func TestDefaultProcs(t *testing.T) {
	was := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(was + 1)
	runtime.SetDefaultGOMAXPROCS()
	if is := runtime.GOMAXPROCS(0); is != was {
		t.Error(is, "and not", was)
	}
}
