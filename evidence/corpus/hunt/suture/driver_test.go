package example

import (
	"context"
	"testing"

	"github.com/thejerf/suture/v4"
)

type ends struct{}

func (ends) Serve(context.Context) error { return suture.ErrDoNotRestart }

// The context of a supervisor ends while a service is removed that has already ended.
func TestRemoveAndWaitBesideCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	supervisor := suture.NewSimple("supervisor")
	err := supervisor.ServeBackground(ctx)
	token := supervisor.Add(ends{})
	go cancel()
	supervisor.RemoveAndWait(token, 0)
	<-err // Serve returns when its context has ended
}
