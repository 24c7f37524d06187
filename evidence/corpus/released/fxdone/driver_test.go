package example

import (
	"context"
	"testing"

	"go.uber.org/fx"
)

// An application that is to shut down says so to whoever calls Done.
func TestDone(t *testing.T) {
	var s fx.Shutdowner
	app := fx.New(fx.NopLogger, fx.Populate(&s))
	if err := app.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Shutdown() }()
	<-app.Done()
}
