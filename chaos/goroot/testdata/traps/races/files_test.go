package races

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"math/rand"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"syscall"
	"testing"
	"time"
	"unique"
)

// What the standard library guards for its callers: here one goroutine closes or stops what others use.

func TestAcceptAndClose(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	l.Close()
	<-done
}

// closes calls f in a goroutine, and closes what it uses.
func closes(f func(), c io.Closer) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(func() { c.Close() })
	wg.Wait()
}

func TestConnections(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	closes(func() { c.Write([]byte("text")); c.Read(make([]byte, 1)) }, c)
	p, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closes(func() { p.WriteTo([]byte("text"), p.LocalAddr()); p.ReadFrom(make([]byte, 8)) }, p)
	a, b := net.Pipe()
	closes(func() { b.Write([]byte("text")) }, a)
}

func TestServer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "text") }))
	if r, err := s.Client().Get(s.URL); err != nil {
		t.Error(err)
	} else {
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
	}
	s.Close()
}

func TestFiles(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	closes(func() {
		f.WriteString("text")
		f.ReadAt(make([]byte, 1), 0)
		f.Seek(0, io.SeekStart)
		f.Sync()
		f.Stat()
		f.SetDeadline(time.Time{})
	}, f)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	closes(func() { r.Read(make([]byte, 1)) }, w)
	closes(func() { r.Read(make([]byte, 1)) }, r)
}

func TestProcesses(t *testing.T) {
	own, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	released, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR2)
	var wg sync.WaitGroup
	wg.Go(func() { own.Signal(syscall.SIGUSR2) })
	wg.Go(func() { released.Signal(syscall.Signal(0)) })
	wg.Go(func() { released.Release() })
	<-c
	signal.Stop(c)
	wg.Wait()
}

func TestChildOutput(t *testing.T) {
	var out bytes.Buffer
	cmd := exec.Command("echo", "text")
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil || out.String() != "text\n" {
		t.Error(err, out.String())
	}
}

func TestShared(t *testing.T) {
	var m sync.Map
	ctx, cancel := context.WithCancelCause(t.Context())
	timer := time.NewTimer(time.Hour)
	logger := log.New(io.Discard, "", 0)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			m.Store(i, &i)
			m.Range(func(_, v any) bool { return *v.(*int) >= 0 })
			child, stop := context.WithTimeout(ctx, time.Minute)
			context.AfterFunc(child, func() {})
			stop()
			timer.Reset(time.Hour)
			logger.Print(rand.Int(), unique.Make(i), runtime.NumGoroutine())
			t.Log(i)
			t.Cleanup(func() {})
			t.TempDir()
			cancel(errors.New("done"))
		})
	}
	wg.Wait()
	<-ctx.Done()
	timer.Stop()
}

func TestProfiles(t *testing.T) {
	var b, c bytes.Buffer
	trace.Start(&c) // it is off, and what waits for it writes nothing
	trace.Stop()
	c.Reset()
	pprof.Lookup("goroutine").WriteTo(&b, 0)
}

// A goroutine that is locked to its thread is left as it is, and the engine's own accesses are no races.
func TestFoundNoRaceLocked(t *testing.T) {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		runtime.LockOSThread()
		mu.Lock()
		mu.Lock()
		close(done)
	}()
	<-done
}
