package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Listen listens on a loopback address: "127.0.0.1:6060", "[::1]:6060", "localhost:6060",
// or ":6060", which is 127.0.0.1 here. Any other is refused without WithRemote.
func (f *Faults) Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("remote: listen: %w", err)
	}
	switch ip := net.ParseIP(host); {
	case f.remote:
		return net.Listen("tcp", address)
	case host == "", host == "localhost": // by number: a name could lead elsewhere
		host = "127.0.0.1"
	case ip == nil || !ip.IsLoopback():
		return nil, fmt.Errorf("remote: listen: found %q, want a loopback address such as 127.0.0.1:%s, or WithRemote", clip(address), port)
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

// Serve answers requests that come to the listener until ctx is done, and closes it. It
// returns nil then, or an error if it could not continue. An armed plan stays armed.
func (f *Faults) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: f, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
