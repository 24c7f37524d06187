// Command uses calls everything that package channel has. The normal build of it
// holds what cannot be inlined, and no more.
package main

import "github.com/rouse-go/rouse/hooks/channel"

func main() {
	c, d := make(chan int, 3), make(chan string, 3)
	channel.Send(c, 1)
	channel.Send(c, 2)
	println(channel.Len(c), channel.Cap(c))
	println(channel.Receive(c))
	v, ok := channel.ReceiveOK(c)
	println(v, ok, channel.Select(channel.OnSend(c, 3)))
	println(channel.Select(channel.OnReceive(c, &v, &ok), channel.OnReceive(d, nil, nil)), v, ok)
	println(channel.Select(channel.OnSend(c, 4), channel.OnSend(d, ""), channel.Default))
	channel.Close(c)
	for v := range channel.Range(c) {
		println(v)
	}
}
