package outside

import (
	"path/filepath"
	"syscall"
	"testing"
)

// bind makes a socket that is bound to a port of this machine, 0 is any, and returns the port.
func bind(t *testing.T, port int) (socket, at int) {
	t.Helper()
	s, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(s) })
	if err := syscall.Bind(s, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(s)
	if err != nil {
		t.Fatal(err)
	}
	return s, name.(*syscall.SockaddrInet4).Port
}

// A connection that the server has closed first keeps its port for a minute. Whether a port is free depends on
// what else there is on the machine, and on executions before.
func TestUncontrolledAddress(t *testing.T) {
	s, port := bind(t, 0)
	if err := syscall.Listen(s, 1); err != nil {
		t.Fatal(err)
	}
	client, _ := bind(t, 0)
	if err := syscall.Connect(client, &syscall.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	server, _, err := syscall.Accept(s)
	if err != nil {
		t.Fatal(err)
	}
	syscall.Close(server)
	syscall.Close(client)
	syscall.Close(s)
	bind(t, port)
}

// The process itself has the port: that is a failure.
func TestFoundAddress(t *testing.T) {
	_, port := bind(t, 0)
	bind(t, port)
}

func TestFoundName(t *testing.T) {
	s, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(s)
	name := &syscall.SockaddrUnix{Name: filepath.Join(t.TempDir(), "s")}
	if err := syscall.Bind(s, name); err != nil {
		return // without the failure that is to be found
	}
	other, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(other)
	if err := syscall.Bind(other, name); err != nil {
		t.Fatal(err)
	}
}
