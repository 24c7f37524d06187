package channel_test

import (
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks/channel"
)

// What Select costs compared with the statement: with a case that is ready, and where each has to
// wait.
func BenchmarkSelect(b *testing.B) {
	ready, full, never := make(chan int, 1), make(chan int), make(chan string)
	x, text := 0, ""
	for _, ways := range []struct {
		name            string
		statement, ours func()
	}{
		{"2", func() {
			select {
			case x = <-ready:
			case text = <-never:
			}
		}, func() {
			channel.Select(channel.OnReceive(ready, &x, nil), channel.OnReceive(never, &text, nil))
		}},
		{"4", func() {
			select {
			case x = <-ready:
			case text = <-never:
			case never <- text:
			case full <- x:
			}
		}, func() {
			channel.Select(channel.OnReceive(ready, &x, nil), channel.OnReceive(never, &text, nil),
				channel.OnSend(never, text), channel.OnSend(full, x))
		}},
		{"2+default", func() {
			select {
			case x = <-ready:
			case text = <-never:
			default:
			}
		}, func() {
			channel.Select(channel.OnReceive(ready, &x, nil), channel.OnReceive(never, &text, nil), channel.Default)
		}},
	} {
		for _, way := range []struct {
			name string
			do   func()
		}{{"statement", ways.statement}, {"Select", ways.ours}} {
			b.Run("cases="+ways.name+"/ready/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					ready <- 1
					way.do()
				}
			})
			if strings.HasSuffix(ways.name, "default") {
				continue
			}
			b.Run("cases="+ways.name+"/waits/"+way.name, func(b *testing.B) {
				b.ReportAllocs()
				asked, done := make(chan int), make(chan int)
				go func() {
					for range asked {
						ready <- 1
					}
					close(done)
				}()
				for b.Loop() {
					asked <- 1
					way.do()
				}
				close(asked)
				<-done
			})
		}
	}
}
