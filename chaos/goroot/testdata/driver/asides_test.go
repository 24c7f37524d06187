package driver

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Each of these tests has two goroutines whose order shows, and is decided within package testing only.

// beside calls two functions on two goroutines, and waits for both.
func beside(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	g()
	wg.Wait()
}

func nop(*testing.T) {}

func TestAsideRun(t *testing.T) {
	beside(func() { t.Run("x", nop) }, func() { t.Run("x", nop) })
}

func TestAsideRunWithoutName(t *testing.T) {
	beside(func() { t.Run("", nop) }, func() { t.Run("", nop) })
}

func TestAsideRunNumber(t *testing.T) {
	t.Run("x", nop)
	beside(func() { t.Run("x#01", nop) }, func() { t.Run("x", nop) })
}

func TestAsideRunBelow(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		beside(func() { t.Run("x", nop) }, func() { t.Run("x", nop) })
	})
}

func TestAsideRunOfParallel(t *testing.T) {
	for range 2 {
		t.Run("sub", func(s *testing.T) {
			s.Parallel()
			t.Run("x", nop)
		})
	}
}

func TestAsideCleanup(t *testing.T) {
	beside(func() { t.Cleanup(func() {}) }, func() { t.Cleanup(func() {}) })
}

func TestAsideCleanupAtEnd(t *testing.T) {
	go t.Cleanup(func() {})
}

func TestAsideCleanupOfParent(t *testing.T) {
	for range 2 {
		t.Run("sub", func(s *testing.T) {
			s.Parallel()
			t.Cleanup(func() {})
		})
	}
}

func TestAsideSetenv(t *testing.T) {
	beside(func() { t.Setenv("ROUSE_ASIDE", "1") }, func() { t.Cleanup(func() {}) })
}

func TestAsideTempDir(t *testing.T) {
	t.TempDir()
	beside(func() { t.TempDir() }, func() { t.TempDir() })
}

func TestAsideArtifactDir(t *testing.T) {
	t.TempDir()
	beside(func() { t.ArtifactDir() }, func() { t.TempDir() })
}

func TestAsideSkip(t *testing.T) {
	beside(func() { t.Skipped() }, func() {
		t.Run("sub", func(s *testing.T) {
			go s.Skipped()
			s.SkipNow()
		})
	})
}

func TestAsideSkipAtEnd(t *testing.T) {
	t.Run("sub", func(s *testing.T) { go s.SkipNow() })
}

func TestAsideContext(t *testing.T) {
	ctx := t.Context()
	go ctx.Err()
}

func TestAsideContextPoll(t *testing.T) {
	ctx := t.Context()
	go func() {
		select {
		case <-ctx.Done():
		default:
		}
	}()
}

func TestAsideContextChild(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_ = cancel // it is the test's end that shows
	go ctx.Err()
}

func TestAsideContextCause(t *testing.T) {
	ctx := t.Context()
	go context.Cause(ctx)
}

func TestAsideContextAfter(t *testing.T) {
	stop := context.AfterFunc(t.Context(), func() {})
	go stop()
}

func TestAsideContextSubtest(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		ctx := t.Context()
		go ctx.Err()
	})
}

func TestAsideCreateTemp(t *testing.T) {
	dir := t.TempDir()
	beside(func() { os.CreateTemp(dir, "") }, func() { os.ReadDir(dir) }) //nolint:errcheck // it does not fail
}

func TestAsideMkdirTemp(t *testing.T) {
	dir := t.TempDir()
	beside(func() { os.MkdirTemp(dir, "") }, func() { os.ReadDir(dir) }) //nolint:errcheck // it does not fail
}

// More tests than run at a time, of which it shows which are the first.
func TestAsideParallel(t *testing.T) {
	for range 3 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			time.Sleep(time.Second)
		})
	}
}

// Of the following tests the order of what they do within package testing does not show, or something else has it.

func TestAsidesOne(t *testing.T) {
	done := make(chan bool)
	go func() { close(done) }()
	t.Run("x", func(t *testing.T) { t.Cleanup(func() {}) })
	t.Run("x", nop)
	t.Cleanup(func() {})
	t.Cleanup(func() {})
	t.Skipped()
	t.Setenv("ROUSE_ASIDE", "1")
	<-done
}

func TestAsidesFolders(t *testing.T) {
	t.TempDir()
	t.TempDir()
	t.ArtifactDir()
}

func TestAsidesLog(t *testing.T) {
	beside(func() { t.Log(1); io.WriteString(t.Output(), "1\n") }, func() { t.Helper(); t.Logf("2"); t.Attr("a", "b"); _ = t.Name() }) //nolint:errcheck // it does not fail
}

func TestAsidesNames(t *testing.T) {
	beside(func() { t.Run("x", nop) }, func() { t.Run("y", nop) })
}

func TestAsidesNumbers(t *testing.T) {
	beside(func() { t.Run("x#01", nop) }, func() { t.Run("x#02", nop) })
}

func TestAsidesParallel(t *testing.T) {
	for _, name := range strings.Fields("x y") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() {})
			t.Run("x", nop)
		})
	}
}

// A subtest that does not run in parallel is as a call.
func TestAsidesParent(t *testing.T) {
	t.Cleanup(func() {})
	t.Run("x", func(*testing.T) { t.Cleanup(func() {}) })
	t.Cleanup(func() {})
}

func TestAsidesTemp(t *testing.T) {
	beside(func() {
		if f, err := os.CreateTemp("", ""); err == nil {
			f.Close()
			os.Remove(f.Name())
		}
	}, func() { os.Mkdir(".", 0o777) }) //nolint:errcheck // it fails
}

// In these, too, but only dpor knows.

func TestOrderedCleanup(t *testing.T) {
	done := make(chan bool)
	t.Cleanup(func() {})
	go func() {
		t.Cleanup(func() {})
		done <- true
	}()
	<-done
	t.Cleanup(func() {})
}

func TestOrderedContext(t *testing.T) {
	ctx := t.Context()
	beside(func() { ctx.Err() }, func() {
		select {
		case <-ctx.Done():
		default:
		}
	})
}

func TestOrderedContextWaits(t *testing.T) {
	ended, done := make(chan bool), t.Context().Done()
	go func() {
		<-done
		close(ended)
	}()
	t.Cleanup(func() { <-ended })
}

func TestOrderedContextChild(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	beside(func() { ctx.Err() }, func() { ctx.Err() })
}

// In these a file is closed beside what uses it.

// closes calls a function beside Close of a file that it is given.
func closes(t *testing.T, use func(f *os.File)) {
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	beside(func() { f.Close() }, func() { use(f) })
}

func TestClosesWrite(t *testing.T)    { closes(t, func(f *os.File) { io.WriteString(f, "x") }) }       //nolint:errcheck // it may fail
func TestClosesWriteAt(t *testing.T)  { closes(t, func(f *os.File) { f.WriteAt([]byte("x"), 1) }) }    //nolint:errcheck // likewise
func TestClosesRead(t *testing.T)     { closes(t, func(f *os.File) { f.Read(make([]byte, 1)) }) }      //nolint:errcheck // likewise
func TestClosesReadAt(t *testing.T)   { closes(t, func(f *os.File) { f.ReadAt(make([]byte, 1), 1) }) } //nolint:errcheck // likewise
func TestClosesStat(t *testing.T)     { closes(t, func(f *os.File) { f.Stat() }) }                     //nolint:errcheck // likewise
func TestClosesSync(t *testing.T)     { closes(t, func(f *os.File) { f.Sync() }) }                     //nolint:errcheck // likewise
func TestClosesSeek(t *testing.T)     { closes(t, func(f *os.File) { f.Seek(0, io.SeekStart) }) }      //nolint:errcheck // likewise
func TestClosesChmod(t *testing.T)    { closes(t, func(f *os.File) { f.Chmod(0o600) }) }               //nolint:errcheck // likewise
func TestClosesTruncate(t *testing.T) { closes(t, func(f *os.File) { f.Truncate(1) }) }                //nolint:errcheck // likewise
func TestClosesChdir(t *testing.T)    { closes(t, func(f *os.File) { f.Chdir() }) }                    //nolint:errcheck // likewise
func TestClosesFd(t *testing.T)       { closes(t, func(f *os.File) { f.Fd() }) }
func TestClosesClose(t *testing.T)    { closes(t, func(f *os.File) { f.Close() }) }
func TestClosesConn(t *testing.T) {
	closes(t, func(f *os.File) {
		if c, err := f.SyscallConn(); err == nil {
			c.Control(func(uintptr) {}) //nolint:errcheck // it may fail
		}
	})
}

func TestClosesPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	beside(func() { w.Close() }, func() { w.SetDeadline(time.Time{}) }) //nolint:errcheck // it may fail
	r.Close()
}

// In these none is. But only dpor knows that if two tasks have used it.

func TestClosedAfter(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	beside(func() { f.Stat() }, func() { io.WriteString(f, "x") }) //nolint:errcheck // it does not fail
	f.Close()
}

func TestClosedOther(t *testing.T) {
	dir := t.TempDir()
	closes := func(name string) {
		if f, err := os.Create(dir + "/" + name); err == nil {
			f.Close()
		}
	}
	beside(func() { closes("f") }, func() { closes("g") })
}
