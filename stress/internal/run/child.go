package run

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/stress/internal/outcome"
	"github.com/rouse-go/rouse/stress/scenario"
	"github.com/rouse-go/rouse/stress/subject"
)

// ChildArg, as the first argument of a process, makes it a child of a campaign: a process that runs
// executions of one scenario.
const ChildArg = "stress-child"

// ChildEnv is set in a child, so that a program that lacks ChildMain fails instead of starting
// children of its own.
const ChildEnv = "ROUSE_STRESS_CHILD"

// A Request is what the parent writes to a child's standard input, as one JSON object. The pipe then
// stays open until the parent ends.
type Request struct {
	Scenario     scenario.Scenario
	CampaignSeed uint64
	First        int           // number of the first execution
	Least        int           // executions to run even if the time is up
	Most         int           // executions to run at most; 0 is no bound
	For          time.Duration // no execution begins later; 0 is no bound
	// Waits makes the child wait, before each execution, for a byte on its standard input. The parent
	// writes it when it has noted the execution.
	Waits bool
	// Again makes the child wait for another request afterwards, unless an execution fails.
	Again bool
	Shard scenario.Shard // the shard that the executions belong to

	Explore *ExploreRequest // for a controlled scenario; Least and For hold here, too
	Repeat  *repeatRequest  // for a recording of a controlled scenario
}

// A Message is a line that the child writes to its standard output, as JSON.
// One of its parts is set.
type Message struct {
	Begin  *Begin          `json:"begin,omitempty"`
	Result *outcome.Result `json:"result,omitempty"`
	Done   bool            `json:"done,omitempty"` // the request is done
	Idle   bool            `json:"idle,omitempty"` // and the child waits for another
	// Alive reports that the watchdog of the current execution works.
	Alive bool `json:"alive,omitempty"`
	// Trace is the flight recording of an execution that hangs; its result follows.
	Trace []byte `json:"trace,omitempty"`
	// Under control.
	Batch     *BatchReport `json:"batch,omitempty"`
	Progress  *BatchReport `json:"progress,omitempty"`  // of the batch that is running
	Explained *failure     `json:"explained,omitempty"` // the one of the last batch
	Try       *Try         `json:"try,omitempty"`
	Shrunk    *shrunk      `json:"shrunk,omitempty"`
}

// goAheadByte is the parent's answer to Begin, if the request has Waits.
const goAheadByte = '+'

// A Begin is written before an execution, so that the parent knows which one was running if the child
// ends before it has reported.
type Begin struct {
	Execution int    `json:"execution"`
	Seed      uint64 `json:"seed"`
	Setting   string `json:"setting,omitempty"`
}

// messagePrefix distinguishes messages from what a subject prints.
const messagePrefix = "\x01rouse "

// ChildMain turns a process that was started with ChildArg into a child of a
// campaign, and does not return; otherwise it does nothing. A program that
// calls Run or Replay calls it first thing in main, a test binary in TestMain, with all subjects of
// its scenarios.
func ChildMain(subjects ...subject.Subject) {
	if len(os.Args) > 1 && os.Args[1] == ChildArg {
		r := &Runner{Subjects: subjects}
		if len(os.Args) == debugWords && os.Args[2] == debugArg {
			if err := r.debug(os.Args[3], os.Args[4]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(2)
			}
			os.Exit(0)
		}
		os.Exit(r.Serve(os.Stdin, os.Stdout, os.Stderr, r.Execute, func(*scenario.Scenario, int) {}))
	}
}

// An Executor runs one execution, and calls alive now and then while it watches; see Runner.Execute.
type Executor func(sc *scenario.Scenario, campaignSeed uint64, n int, alive func()) outcome.Result

// Serve serves the requests that it reads from in, as a child of a campaign, and returns the process's
// exit code. It runs native executions by execute, and calls began before each controlled one.
func (of *Runner) Serve(in io.Reader, out, errs io.Writer, execute Executor, began func(sc *scenario.Scenario, n int)) (exitCode int) {
	var r Request
	requests := json.NewDecoder(in)
	if err := requests.Decode(&r); err != nil {
		fmt.Fprintf(errs, "%s: this is started by stress itself: %v\n", ChildArg, err)
		return 2
	}
	// The pipe closes when the parent ends in any way. Then a result would have no reader.
	goAhead := make(chan struct{}, 1) // the parent answers once to each
	again, others := r.Again, make(chan Request)
	go func() {
		for again {
			var next Request
			if err := requests.Decode(&next); err != nil {
				os.Exit(1)
			}
			others <- next
		}
		answers := bufio.NewReader(io.MultiReader(requests.Buffered(), in))
		for {
			if b, err := answers.ReadByte(); err != nil {
				os.Exit(1)
			} else if b == goAheadByte {
				goAhead <- struct{}{}
			}
		}
	}()
	send := func(m Message) {
		line, err := json.Marshal(m)
		if err != nil {
			panic(err) // everything in a message can be JSON
		}
		// The message is on a line of its own, whatever the subject has printed, and in one write, so that
		// nothing is printed in between: neither side would notice a lost message.
		text := slices.Concat([]byte("\n"+messagePrefix), line, []byte("\n"))
		if _, err := out.Write(text); err != nil {
			os.Exit(1) // the parent is gone
		}
	}
	for {
		passed, err := false, error(nil)
		switch {
		case r.Repeat != nil:
			err = r.repeat(of, send)
		case r.Explore != nil:
			passed, err = r.explore(of, send, began)
		default:
			r.run(execute, send, goAhead)
		}
		if err != nil {
			fmt.Fprintf(errs, "%s: %v\n", ChildArg, err)
			return 2
		}
		idle := again && passed
		send(Message{Done: true, Idle: idle})
		if !idle {
			return 0
		}
		r = <-others
	}
}

// run executes until the request is done or an execution fails: after that the process may hold
// goroutines that never end.
func (r *Request) run(execute Executor, send func(Message), goAhead <-chan struct{}) {
	start := time.Now()
	recorder := startFlight()
	defer func() { recorder.stop() }()
	announced := start
	alive := func() {
		if time.Since(announced) >= AnnounceTime {
			announced = time.Now()
			send(Message{Alive: true})
		}
	}
	n := r.First - 1
	var kept growth
	for i := 0; ; i++ {
		if r.Most > 0 && i >= r.Most {
			return
		}
		if r.For > 0 && i >= r.Least && time.Since(start) >= r.For {
			return
		}
		n = r.Shard.From(&r.Scenario, n+1)
		send(Message{Begin: &Begin{n, subject.Seed(r.CampaignSeed, r.Scenario.Name, n), r.Scenario.Setting(n)}})
		if r.Waits {
			<-goAhead
		}
		result := execute(&r.Scenario, r.CampaignSeed, n, alive)
		if result.Goroutines != "" { // it hangs
			send(Message{Trace: recorder.trace()})
		}
		if result.Verdict == verdict.Pass && kept.due() {
			recorder.stop() // its own memory varies
			kept.sample(n)
			if f := kept.finding(); f != nil {
				result.Verdict, result.Summary = f.Verdict, f.Summary
				result.Explanation = []string{"growth shows over many executions of one process: run the scenario again, not this execution"}
			}
			recorder = startFlight()
		}
		send(Message{Result: &result})
		if result.Verdict != verdict.Pass {
			return
		}
	}
}

var ErrNoChildMain = errors.New("stress: this process is a child of a campaign: main or TestMain must call stress.ChildMain first")
