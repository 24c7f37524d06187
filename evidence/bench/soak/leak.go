package soak

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// goroutines returns the stacks of all goroutines except the caller's, by their numbers.
func goroutines() map[string]string {
	text := make([]byte, 1<<20)
	for {
		n := runtime.Stack(text, true)
		if n < len(text) {
			text = text[:n]
			break
		}
		text = make([]byte, 2*len(text))
	}
	all := map[string]string{}
	for i, stack := range strings.Split(string(text), "\n\n") {
		if m := goroutineNumber.FindStringSubmatch(stack); m != nil && i > 0 {
			all[m[1]] = stack
		}
	}
	return all
}

var goroutineNumber = regexp.MustCompile(`^goroutine (\d+) `)

// leaked describes the goroutines that are not in before, or returns "". It gives goroutines that are
// about to end time.
func leaked(before map[string]string) string {
	var left []string
	for range 200 {
		left = left[:0]
		for number, stack := range goroutines() {
			if _, old := before[number]; !old {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return ""
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Sprintf("%d goroutines are left, one of them:\n%s", len(left), left[0])
}
