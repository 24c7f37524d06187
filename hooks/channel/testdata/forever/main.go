// Command forever does the operation that its argument names on channels that are
// nil. It has to wait for ever, as the runtime then says.
package main

import (
	"fmt"
	"os"

	"github.com/rouse-go/rouse/hooks/channel"
)

var (
	c chan int
	d chan string
)

var operations = map[string]func(){
	"Send":                      func() { channel.Send(c, 1) },
	"Receive":                   func() { channel.Receive(c) },
	"ReceiveOK":                 func() { channel.ReceiveOK(c) },
	"Range":                     func() { channel.Range(c)(func(int) bool { return true }) },
	"Select of nothing":         func() { channel.Select() },
	"Select of a send":          func() { channel.Select(channel.OnSend(c, 1)) },
	"Select of a receive":       func() { channel.Select(channel.OnReceive(c, nil, nil)) },
	"Select of one of each":     func() { channel.Select(channel.OnSend(c, 1), channel.OnReceive(d, nil, nil)) },
	"nothing, as a control":     func() {},
	"Select of a default":       func() { channel.Select(channel.OnReceive(c, nil, nil), channel.OnSend(d, ""), channel.Default) },
	"Poll of what never can be": func() { channel.Select(channel.OnSend(c, 1), channel.Default) },
}

func main() {
	if len(os.Args) != 2 || operations[os.Args[1]] == nil {
		for name := range operations {
			fmt.Println(name)
		}
		return
	}
	operations[os.Args[1]]()
	fmt.Println("returned")
}
