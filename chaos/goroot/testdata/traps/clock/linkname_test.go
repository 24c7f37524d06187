package clock

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"
	_ "unsafe" // linkname
)

// The clock, as libraries reach it.

//go:linkname nanotime runtime.nanotime
func nanotime() int64

//go:linkname timeNow time.now
func timeNow() (sec int64, nsec int32, mono int64)

var (
	startedNano = nanotime()
	started     = time.Now()
)

func TestLinkedClock(t *testing.T) {
	if d := time.Since(started) - time.Duration(nanotime()-startedNano); d < -time.Second || d > time.Second {
		t.Error("since the beginning of the process, the clocks differ by", d)
	}
	a, b, c := time.Now(), nanotime(), nanotime()
	sec, nsec, mono := timeNow()
	if d := time.Unix(sec, int64(nsec)).Sub(a); d < 0 || d > time.Microsecond || mono <= c {
		t.Error("another time", d, mono, c)
	}
	time.Sleep(time.Hour)
	sec2, nsec2, mono2 := timeNow()
	for _, d := range []time.Duration{
		time.Since(a), time.Duration(nanotime() - b),
		time.Duration(sec2-sec)*time.Second + time.Duration(nsec2-nsec), time.Duration(mono2 - mono),
	} {
		if d < time.Hour-time.Second || d > time.Hour+time.Second {
			t.Error("an hour is", d)
		}
	}
}

// In a bubble of testing/synctest, whose clock begins in 2000, it is the clock of the execution.
func TestLinkedInBubble(t *testing.T) {
	a := nanotime()
	synctest.Test(t, func(t *testing.T) {
		b := nanotime()
		time.Sleep(time.Hour)
		if c := nanotime(); b <= a || c <= b || c > a+int64(time.Minute) {
			t.Error(a, b, c)
		}
	})
}

// The poller's deadlines, which are those of package time, stay on the real clock.
func TestLinkedDeadline(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := l.(*net.TCPListener).SetDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Accept(); err == nil || !err.(net.Error).Timeout() {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	<-ctx.Done()
}
