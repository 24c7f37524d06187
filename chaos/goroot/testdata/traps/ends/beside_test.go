package ends

import (
	"sync"
	"testing"
	"time"
)

// What is left is no deadlock, also if a day passes because the tick of a janitor comes early.
func TestAnswersLeft(t *testing.T) {
	defer janitor()()
	answers := make(chan int)
	for i := range 3 {
		go func() { answers <- i }()
	}
	<-answers
	for range 20 {
		time.Sleep(5 * time.Millisecond)
	}
}

func TestLockerLeft(t *testing.T) {
	defer janitor()()
	var started sync.Mutex
	started.Lock()
	go started.Lock()
	time.Sleep(2 * time.Millisecond)
	if started.TryLock() {
		t.Error("it is not locked")
	}
	time.Sleep(2 * time.Millisecond)
}
