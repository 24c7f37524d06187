package timers

import (
	"context"
	"testing"
)

func TestClientClose(t *testing.T) {
	t.Parallel()
	c := NewClient()
	connection, lost := context.WithCancel(t.Context())
	stop := context.AfterFunc(connection, c.Close)
	defer stop()
	go lost()
	c.Close()
	<-c.Closed()
	<-connection.Done()
}
