package outside

import (
	"net"
	"os"
	"runtime"
	"testing"
	"time"
)

// A deadline of a connection or a listener ends the wait for the network.
func TestDeadlines(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetReadDeadline(time.Now().Add(50 * time.Millisecond)) //nolint:errcheck // it is open
	if _, err = c.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Error(err)
	}
	if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	l.(*net.TCPListener).SetDeadline(time.Now().Add(20 * time.Millisecond)) //nolint:errcheck // likewise
	if _, err := l.Accept(); !os.IsTimeout(err) {
		t.Error(err)
	}
}

// A deadline comes in its turn among sleeps.
func TestDeadlineBeforeWrite(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	go func() {
		defer w.Close()
		time.Sleep(time.Hour)
		w.Write([]byte{1}) //nolint:errcheck // it may be closed
	}()
	begin := time.Now()
	r.SetReadDeadline(begin.Add(time.Minute)) //nolint:errcheck // it is open
	if _, err := r.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Error(err)
	}
	if d := time.Since(begin); d < time.Minute || d > 2*time.Minute {
		t.Error(d)
	}
	r.SetReadDeadline(begin.Add(2 * time.Hour)) //nolint:errcheck // likewise
	if n, err := r.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Error(n, err)
	}
}

func TestIdleConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	idle := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			idle <- err
			return
		}
		defer c.Close()
		for range 3 { // each read extends it
			c.SetDeadline(time.Now().Add(time.Minute)) //nolint:errcheck // it is open
			if _, err = c.Read(make([]byte, 1)); err != nil {
				break
			}
		}
		idle <- err
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 2 {
		time.Sleep(40 * time.Second)
		c.Write([]byte{1}) //nolint:errcheck // the other end tells
	}
	time.Sleep(time.Hour)
	select {
	case err := <-idle:
		if !os.IsTimeout(err) {
			t.Error(err)
		}
	default:
		t.Error("an idle connection is open after an hour")
	}
}

func TestDeadlineChanged(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	begin := time.Now()
	r.SetReadDeadline(begin.Add(time.Second)) //nolint:errcheck // it is open
	r.SetReadDeadline(time.Time{})            //nolint:errcheck // likewise
	go func() {
		time.Sleep(time.Minute)
		r.SetReadDeadline(time.Now().Add(time.Minute)) //nolint:errcheck // likewise
	}()
	if _, err := r.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Error(err)
	}
	if d := time.Since(begin); d < 2*time.Minute || d > 3*time.Minute {
		t.Error(d)
	}
}

// A deadline comes early by no more than a machine is late.
func TestDeadlineInTime(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	go func() {
		for range 20 {
			runtime.Gosched()
		}
		time.Sleep(time.Second)
		w.Write([]byte{1}) //nolint:errcheck // it is open
	}()
	r.SetReadDeadline(time.Now().Add(3 * time.Second)) //nolint:errcheck // likewise
	if n, err := r.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Error(n, err)
	}
}

// What an execution leaves open is closed by the collector in a later one.
func TestDeadlineLeft(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.SetReadDeadline(time.Now().Add(time.Hour))  //nolint:errcheck // it is open
	w.SetWriteDeadline(time.Now().Add(time.Hour)) //nolint:errcheck // likewise
	runtime.GC()
}

// That the peer is late by less than the time-out is no matter of luck.
func TestFoundTimeout(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	go func() {
		time.Sleep(2 * time.Second)
		w.Write([]byte{1}) //nolint:errcheck // it may be closed
	}()
	r.SetReadDeadline(time.Now().Add(time.Second)) //nolint:errcheck // it is open
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
}

// Package state: a pipe whose deadline a goroutine outside has set, in real time.
var outerRead, outerWrite, _ = os.Pipe()

func init() { outerRead.SetReadDeadline(time.Now().Add(time.Hour)) } //nolint:errcheck // it is open

func TestDeadlineOfOthers(t *testing.T) {
	begin := time.Now()
	outerRead.SetReadDeadline(begin.Add(time.Minute)) //nolint:errcheck // it is open
	if _, err := outerRead.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Error(err)
	}
	if d := time.Since(begin); d < time.Minute || d > 2*time.Minute {
		t.Error(d)
	}
	runtime.KeepAlive(outerWrite)
}
