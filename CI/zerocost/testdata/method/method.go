// Package method starts a goroutine from a method value: without hooks it would
// be a method call.
package method

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

// Err makes the package one that has something to initialise.
var Err = fmt.Errorf("nothing")

// A Worker works.
type Worker struct{ n int }

func (w *Worker) main() { w.n++ }

// Start starts the worker.
func (w *Worker) Start() { go hooks.Task(w.main)() }
