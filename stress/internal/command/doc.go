// Package command is what a command line needs that knows nothing of scenarios: exit
// codes and the errors that lead to them, flags that say what they want, output that
// keeps its first error, signals.
//
// Package stress and those below it use it; it imports nothing of them.
package command
