package run

import (
	"fmt"
	"strconv"
	"time"

	"github.com/rouse-go/rouse/chaos/recording"
)

// debugArg, as the second argument of a child, makes it repeat a recording for a debugger.
const debugArg = "debug"

// debugWords is the number of words in the command line of such a child.
const debugWords = 5

// DebugArgs returns the arguments that make a program that calls ChildMain repeat a recording of a controlled
// scenario, and stop for a debugger before a step; 0 is the decisive one.
func DebugArgs(file string, step int) []string {
	return []string{ChildArg, debugArg, file, strconv.Itoa(step)}
}

// patience returns control.Options.Patience. It is unlimited under a debugger, because a person who thinks is slower
// than any execution.
func (of *Runner) patience() time.Duration {
	if of.debugged {
		return -1
	}
	return 0
}

// debug runs a program that was started with DebugArgs.
func (of *Runner) debug(file, number string) error {
	step, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	rec, err := ReadRecording(file, of.Subjects...)
	if err != nil {
		return err
	}
	of.debugged = true
	e, err := of.newExplorer(rec.Scenario, rec.Campaign)
	if err != nil {
		return err
	}
	defer e.Close()
	x := recorded(rec.Recording)
	p := e.Debug(x, rec.Recording, step, func(line string) { print(line, "\n") })
	t := p.Trace
	t.Schedule = p.Schedule.Clone() // experiments follow
	r := e.explain(x, t)
	fmt.Println(r.Events)
	for _, line := range r.Explanation {
		fmt.Println(line)
	}
	if p.Likeness != recording.Exact {
		fmt.Println("not as recorded: " + p.Differs)
	} else {
		fmt.Println("as recorded, with an equal trace hash: " + r.Summary)
	}
	return nil
}
