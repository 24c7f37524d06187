// Command core tests the engine on goroutines that the runtime holds. Each argument names a test; what
// fails is printed.
package main

import (
	"fmt"
	"os"
	"rousecore"
)

var tests = map[string]func(){
	"dpor":    compareSearches,
	"ends":    checkEnds,
	"repeats": checkRepeats,
	"steps":   checkSteps,
	"memory":  checkMemory,
}

var failures int

// fail prints a failure.
func fail(format string, args ...any) {
	failures++
	fmt.Printf(format+"\n", args...)
}

func main() {
	for _, name := range os.Args[1:] {
		tests[name]()
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// engine returns an engine that must be closed.
func engine(name string, o rousecore.Options) *rousecore.Engine {
	s, err := rousecore.Parse(name)
	if err != nil {
		panic(err)
	}
	o.Strategy = s
	e, err := rousecore.New(o)
	if err != nil {
		panic(err)
	}
	return e
}
