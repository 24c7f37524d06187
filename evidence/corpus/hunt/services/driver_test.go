package example

import (
	"context"
	"testing"

	"github.com/grafana/dskit/services"
)

// A service is started and stopped at once, with a listener that is removed.
func TestStartBesideStop(t *testing.T) {
	ctx := context.Background()
	s := services.NewIdleService(nil, nil)
	terminated := make(chan struct{}, 1)
	remove := s.AddListener(services.NewListener(nil, nil, nil, func(services.State) { terminated <- struct{}{} }, nil))
	go s.StartAsync(ctx)
	s.StopAsync()
	if s.AwaitRunning(ctx); s.State() == services.New {
		t.Error("AwaitRunning returned before the service was started or stopped")
	}
	s.StopAsync()
	if err := s.AwaitTerminated(ctx); err != nil {
		t.Error(err)
	}
	<-terminated
	remove()
}
