package measure

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of /proc: USER_HZ is 100 everywhere.
const tick = 10 * time.Millisecond

// busy returns the time that all processors have worked since the machine was started.
func busy() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	fields := strings.Fields(string(line)) // cpu user nice system idle iowait irq softirq steal
	total := time.Duration(0)
	for _, i := range []int{1, 2, 3, 6, 7, 8} {
		total += ticksOf(fields, i)
	}
	return total
}

// processCPU returns the processor time of a process; 0 if it is gone.
func processCPU(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // the name may have spaces
	fields := strings.Fields(rest)
	return ticksOf(fields, 11) + ticksOf(fields, 12)
}

func ticksOf(fields []string, i int) time.Duration {
	if i >= len(fields) {
		return 0
	}
	n, _ := strconv.ParseInt(fields[i], 10, 64)
	return time.Duration(n) * tick
}

// childrenCPU returns the processor time of child processes that have ended and were waited for.
func childrenCPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
		panic(err) // it cannot fail
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func processors() int { return runtime.NumCPU() }
