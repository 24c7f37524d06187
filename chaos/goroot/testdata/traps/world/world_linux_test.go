// Package world does what others can see outside of the process: files, pipes, locks of files.
package world

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// two goroutines create a lock file with check then create.
func TestFoundCheckThenCreate(t *testing.T) {
	p := filepath.Join(t.TempDir(), "lock")
	got := make(chan bool, 2)
	for range 2 {
		go func() {
			if _, err := os.Stat(p); err == nil {
				got <- false
				return
			}
			f, err := os.Create(p)
			if err != nil {
				t.Error(err)
			} else {
				f.Close()
			}
			got <- true
		}()
	}
	if <-got && <-got {
		t.Error("both have the lock")
	}
}

func TestExclusiveCreate(t *testing.T) {
	p := filepath.Join(t.TempDir(), "lock")
	got := make(chan bool, 2)
	for range 2 {
		go func() {
			f, err := os.OpenFile(p, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err == nil {
				f.Close()
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
			got <- err == nil
		}()
	}
	if a, b := <-got, <-got; a == b {
		t.Error("one has the lock", a, b)
	}
}

// a rename is atomic: a reader sees one or the other.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	p := filepath.Join(dir, "f")
	os.WriteFile(p, []byte("old"), 0o600)
	done := make(chan bool)
	go func() {
		tmp := p + ".tmp"
		os.WriteFile(tmp, []byte("new"), 0o600)
		os.Rename(tmp, p)
		close(done)
	}()
	b, err := os.ReadFile(p)
	if err != nil || len(b) != 3 {
		t.Error(string(b), err)
	}
	<-done
}

// WriteFile truncates first.
func TestFoundTruncated(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	os.WriteFile(p, []byte("old"), 0o600)
	done := make(chan bool)
	go func() { os.WriteFile(p, []byte("new"), 0o600); close(done) }()
	if b, err := os.ReadFile(p); len(b) != 3 {
		t.Error(string(b), err)
	}
	<-done
}

// read-modify-write with ReadAt, WriteAt.
func TestFoundLostUpdate(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "n"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Write([]byte{0})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			var b [1]byte
			f.ReadAt(b[:], 0)
			b[0]++
			f.WriteAt(b[:], 0)
		})
	}
	wg.Wait()
	var b [1]byte
	if f.ReadAt(b[:], 0); b[0] != 2 {
		t.Error(b[0])
	}
}

// Seek then Read of a shared file.
func TestFoundSeek(t *testing.T) {
	f, _ := os.Create(filepath.Join(t.TempDir(), "n"))
	defer f.Close()
	f.Write([]byte("abcd"))
	var wg sync.WaitGroup
	read := func(at int64, want byte) {
		var b [1]byte
		f.Seek(at, io.SeekStart)
		f.Read(b[:])
		if b[0] != want {
			t.Errorf("%q", b)
		}
	}
	wg.Go(func() { read(1, 'b') })
	wg.Go(func() { read(3, 'd') })
	wg.Wait()
}

func TestFoundChdir(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "a"), 0o700)
	os.Mkdir(filepath.Join(dir, "b"), 0o700)
	t.Chdir(dir)
	var wg sync.WaitGroup
	for _, d := range []string{"a", "b"} {
		wg.Go(func() {
			os.Chdir(filepath.Join(dir, d))
			os.WriteFile("x", []byte(d), 0o600)
		})
	}
	wg.Wait()
	for _, d := range []string{"a", "b"} {
		if b, _ := os.ReadFile(filepath.Join(dir, d, "x")); string(b) != d {
			t.Error(d, string(b))
		}
	}
}

// the standard output is read by the test.
func TestFoundStdout(t *testing.T) {
	r, w, _ := os.Pipe()
	was := os.Stdout
	os.Stdout = w
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { fmt.Println(i); fmt.Println(i) })
	}
	wg.Wait()
	os.Stdout = was
	w.Close()
	if b, _ := io.ReadAll(r); string(b) == "0\n1\n0\n1\n" {
		t.Errorf("%q", b)
	}
}

func TestFoundRaw(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	done := make(chan bool)
	go func() { syscall.Mkdir(p, 0o700); syscall.Rmdir(p); close(done) }()
	var s syscall.Stat_t
	if syscall.Stat(p, &s) == nil {
		t.Error("it is there")
	}
	<-done
}

func TestFlock(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	n := 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			f, err := os.OpenFile(p, os.O_CREATE|os.O_RDWR, 0o600)
			if err != nil {
				t.Error(err)
				return
			}
			defer f.Close()
			if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
				t.Error(err)
			}
			if n++; n > 1 {
				t.Error(n)
			}
			time.Sleep(time.Millisecond)
			if n--; n > 0 {
				t.Error(n)
			}
		})
	}
	wg.Wait()
}

func TestFoundFlockDeadlock(t *testing.T) {
	dir := t.TempDir()
	lock := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		}
		syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		return f
	}
	var wg sync.WaitGroup
	for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
		wg.Go(func() {
			a := lock(order[0])
			b := lock(order[1])
			b.Close()
			a.Close()
		})
	}
	wg.Wait()
}

func TestPollForFileSleep(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	go func() { time.Sleep(time.Second); os.WriteFile(p, nil, 0o600) }()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(p); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("not there")
		}
	}
}

// What a test prints is no point.
func TestPrint(t *testing.T) {
	var events []int
	done := make(chan bool)
	go func() {
		events = append(events, 1)
		fmt.Fprint(os.Stderr, "")
		os.Stderr.Write(nil)
		syscall.Write(2, nil)
		events = append(events, 1)
		done <- true
	}()
	events = append(events, 2)
	os.Stderr.Write(nil)
	events = append(events, 2)
	<-done
	if events[0] != events[1] {
		t.Error(events)
	}
}

// What a system call has done others may see before the plain code that follows it.
func TestFoundAfter(t *testing.T) {
	p := filepath.Join(t.TempDir(), "d")
	made := false
	done := make(chan bool)
	go func() {
		syscall.Mkdir(p, 0o700) // mkdirat: Syscall
		made = true
		done <- true
	}()
	if _, err := os.Stat(p); err == nil && !made {
		t.Error("between the system call and plain code")
	}
	<-done
}

func TestFoundAfterSyscall6(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	made := false
	done := make(chan bool)
	go func() {
		syscall.Open(p, syscall.O_CREAT|syscall.O_WRONLY, 0o600) // openat: Syscall6
		made = true
		done <- true
	}()
	if _, err := os.Stat(p); err == nil && !made {
		t.Error("between the system call and plain code")
	}
	<-done
}

// Two reads of one file, and two writes to one pipe, each of which the file lets in alone.
func TestFoundReadLock(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("abcd"))
	w.Close()
	var got [2]string
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			for range 2 {
				var b [1]byte
				r.Read(b[:])
				got[i] += string(b[:])
			}
		})
	}
	wg.Wait()
	if got[0] == "ac" {
		t.Error(got)
	}
}

// By RawSyscall, as golang.org/x/sys makes some.
func TestFoundRawSyscall(t *testing.T) {
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_NONBLOCK); err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fds[0])
	defer syscall.Close(fds[1])
	first := byte(0)
	write := func(b byte) {
		if syscall.RawSyscall(syscall.SYS_WRITE, uintptr(fds[1]), uintptr(unsafe.Pointer(&b)), 1); first == 0 {
			first = b
		}
	}
	done := make(chan bool)
	go func() { write(2); done <- true }()
	write(1)
	<-done
	var b [1]byte
	if syscall.Read(fds[0], b[:]); b[0] != first {
		t.Error("the other one wrote first")
	}
}

// The umask is of the whole process, and so are its limits.
func TestFoundUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o22))
	done := make(chan bool)
	go func() {
		syscall.Umask(syscall.Umask(0o77))
		close(done)
	}()
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err == nil && info.Mode().Perm() == 0o600 {
		t.Error("made with the mask of another goroutine")
	}
	<-done
}

func TestFoundLimit(t *testing.T) {
	var was, found syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_STACK, &was); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		syscall.Setrlimit(syscall.RLIMIT_STACK, &syscall.Rlimit{Cur: 1 << 20, Max: was.Max})
		syscall.Setrlimit(syscall.RLIMIT_STACK, &was)
		close(done)
	}()
	syscall.Getrlimit(syscall.RLIMIT_STACK, &found)
	<-done
	if found != was {
		t.Error(found)
	}
}

// So are settings of the runtime, which a function sets and returns.
func TestFoundProcs(t *testing.T)    { setTwice(t, runtime.GOMAXPROCS, 3, 5) }
func TestFoundThreads(t *testing.T)  { setTwice(t, debug.SetMaxThreads, 3000, 5000) }
func TestFoundStack(t *testing.T)    { setTwice(t, debug.SetMaxStack, 1<<28, 1<<27) }
func TestFoundPercent(t *testing.T)  { setTwice(t, debug.SetGCPercent, 200, 300) }
func TestFoundFraction(t *testing.T) { setTwice(t, runtime.SetMutexProfileFraction, 200, 300) }
func TestFoundMemory(t *testing.T) {
	setTwice(t, func(n int) int { return int(debug.SetMemoryLimit(int64(n))) }, 1<<40, 1<<41)
}

func setTwice(t *testing.T, set func(int) int, one, other int) {
	defer set(set(one))
	done := make(chan bool)
	go func() {
		set(set(other))
		close(done)
	}()
	found := set(one)
	if <-done; found != one {
		t.Error(found)
	}
}

// And so is which signals are ignored.
func TestFoundIgnored(t *testing.T) {
	done := make(chan bool)
	go func() {
		signal.Ignore(syscall.SIGUSR2)
		signal.Reset(syscall.SIGUSR2)
		close(done)
	}()
	if signal.Ignored(syscall.SIGUSR2) {
		t.Error("ignored")
	}
	<-done
}

// A file that is closed twice may be that of another goroutine, whose number is the lowest that is free.
func TestFoundPipeClosed(t *testing.T) { closedTwice(t, func() int { return pipe(t) }) }
func TestFoundSocketClosed(t *testing.T) {
	closedTwice(t, func() int {
		fd, _ := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		return fd
	})
}

func TestFoundPairClosed(t *testing.T) {
	closedTwice(t, func() int {
		fds, _ := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		syscall.Close(fds[1])
		return fds[0]
	})
}

func TestFoundDupClosed(t *testing.T) {
	closedTwice(t, func() int {
		fd, _, _ := syscall.Syscall(syscall.SYS_FCNTL, 0, syscall.F_DUPFD_CLOEXEC, 0)
		return int(fd)
	})
}

// closedTwice fails where the first file of open is closed a second time after its second one is made.
func closedTwice(t *testing.T, open func() int) {
	first := open()
	syscall.Close(first)
	done := make(chan bool)
	go func() {
		syscall.Close(first)
		close(done)
	}()
	second := open()
	<-done
	if err := syscall.Close(second); err != nil {
		t.Error(err)
	}
}

// pipe returns one end of a pipe whose other one is closed.
func pipe(t *testing.T) int {
	var fds [2]int
	if err := syscall.Pipe2(fds[:], 0); err != nil {
		t.Fatal(err)
	}
	syscall.Close(fds[1])
	return fds[0]
}
