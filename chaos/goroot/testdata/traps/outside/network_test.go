package outside

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/rpc"
	"sync"
	"testing"
)

// Both ends of a connection are tasks: one that waits is woken by what the other has done, and at no other time.
func TestHTTP(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	defer s.Close()
	c := s.Client()
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r, err := c.Get(s.URL)
			if err != nil {
				t.Error(err)
				return
			}
			b, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if string(b) != "hello" {
				t.Error(string(b))
			}
		}()
	}
	wg.Wait()
}

type adder int

func (*adder) Next(x int, y *int) error { *y = x + 1; return nil }

func TestRPC(t *testing.T) {
	s := rpc.NewServer()
	if err := s.RegisterName("adder", new(adder)); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go s.Accept(l)
	c, err := rpc.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var y int
	if err := c.Call("adder.Next", 1, &y); err != nil || y != 2 {
		t.Fatal(err, y)
	}
}

func TestUnix(t *testing.T) {
	l, err := net.Listen("unix", t.TempDir()+"/s")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		io.Copy(c, c)
		c.Close()
	}()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, "hi"); err != nil {
		t.Fatal(err)
	}
	if err := c.(*net.UnixConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(c); string(b) != "hi" {
		t.Fatal(string(b), err)
	}
}

// A failure after names have been looked up is one: that a process looks at the times of /etc/hosts, and reads it
// again when it has changed, is no matter of the test's.
func TestFoundAfterLookup(t *testing.T) {
	a, err := net.ResolveTCPAddr("tcp", "localhost:http")
	t.Error(a, err)
}
