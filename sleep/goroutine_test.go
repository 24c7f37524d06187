package sleep

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// goroutineID reads the number in "goroutine 123 [running]".
func goroutineID() uint64 {
	var buf [64]byte
	fields := bytes.Fields(buf[:runtime.Stack(buf[:], false)])
	id, err := strconv.ParseUint(string(fields[1]), 10, 64)
	if err != nil {
		panic(err)
	}
	return id
}

// waitsIn reports whether that goroutine is blocked in an operation of the
// runtime's name, "sync.Mutex.Lock" or "sync.Cond.Wait".
func waitsIn(id uint64, operation string) bool {
	buf := make([]byte, 1<<20)
	dump := string(buf[:runtime.Stack(buf, true)])
	return strings.Contains(dump, fmt.Sprintf("goroutine %d [%s", id, operation))
}
