//go:build chaos

package native_test

import (
	"fmt"
	"sync"
	"time"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/native"
	"github.com/rouse-go/rouse/hooks"
)

// A mailbox notifies its reader when there is mail. It declares where that could go
// wrong.
var (
	mailNone   = hooks.Declare("mailbox/none", "the reader has found no mail and is about to wait", hooks.Disturbs)
	mailIn     = hooks.Declare("mailbox/mail-in", "the mail is in, the reader is not notified yet", hooks.Disturbs)
	mailNotify = hooks.Declare("mailbox/notify", "the reader is about to be notified", hooks.Disturbs|hooks.Drops)
)

type mailbox struct {
	mu      sync.Mutex
	arrived *sync.Cond
	mail    []string
}

func newMailbox() *mailbox {
	m := &mailbox{}
	m.arrived = sync.NewCond(&m.mu)
	return m
}

func (m *mailbox) post(letter string) {
	m.mu.Lock()
	m.mail = append(m.mail, letter)
	m.mu.Unlock()
	hooks.At(mailIn)
	for range hooks.Notify(mailNotify) {
		m.arrived.Signal()
	}
}

func (m *mailbox) read() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.mail) == 0 {
		hooks.At(mailNone)
		m.arrived.Wait()
	}
	letter := m.mail[0]
	m.mail = m.mail[1:]
	return letter
}

// A notification is dropped; the watchdog says so, and the events say which.
func Example() {
	engine, err := native.Arm(chaos.Plan{Seed: 1, Faults: []chaos.Fault{
		{At: "mailbox/notify", Kind: hooks.Drops, Count: 1, Task: "writer"},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer engine.Disarm()

	bystanders := native.Baseline()
	box, done := newMailbox(), make(chan struct{})
	go hooks.Task(func() {
		hooks.Name("reader")
		box.read()
		close(done)
	})()
	for engine.Progress() == 0 { // until the reader has found no mail
		time.Sleep(time.Millisecond)
	}
	go hooks.Task(func() {
		hooks.Name("writer")
		box.post("hello")
	})()

	outcome := native.Watch(done, engine, native.WithIgnored(bystanders))
	fmt.Println(outcome.Kind)
	for _, g := range outcome.Blocked {
		fmt.Println("blocked in", g.State)
	}
	for _, task := range engine.Events() {
		for _, e := range task.Events {
			if e.Fault != "" {
				fmt.Println(task.Path, task.Name, "at", e.Point, "did", e.Fault)
			}
		}
	}

	box.arrived.Signal() // the example cleans up behind itself
	<-done
	// Output:
	// stuck
	// blocked in sync.Cond.Wait
	// main/1 writer at mailbox/notify did drop
}

// What is wrong with a plan is said before anything happens.
func ExampleArm() {
	_, err := native.Arm(chaos.Plan{Faults: []chaos.Fault{
		{At: "mailbox/mail-im", Kind: hooks.Yields},
		{At: "mailbox/mail-in", Kind: hooks.Drops},
	}})
	fmt.Println(err)
	// Output:
	// faults[0].at: found "mailbox/mail-im", want a declared point, perhaps "mailbox/mail-in"
	// faults[1].fault: found "drop", want what mailbox/mail-in offers: delay, yield, hold
}
