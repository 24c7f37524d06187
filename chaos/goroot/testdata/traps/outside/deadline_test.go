package outside

import (
	"net"
	"os"
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
