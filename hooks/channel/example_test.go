package channel_test

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks/channel"
)

func Example() {
	c := make(chan int)
	go func() {
		for i := range 3 {
			channel.Send(c, i)
		}
		channel.Close(c)
	}()
	for v := range channel.Range(c) {
		fmt.Println(v)
	}
	// Output:
	// 0
	// 1
	// 2
}

func ExampleSelect() {
	jobs, quit := make(chan string, 1), make(chan struct{})
	channel.Send(jobs, "one")
	for range 2 {
		var job string
		switch channel.Select(channel.OnReceive(jobs, &job, nil), channel.OnReceive(quit, nil, nil), channel.Default) {
		case 0:
			fmt.Println("job", job)
		case 1:
			fmt.Println("quit")
		case channel.None:
			fmt.Println("nothing to do")
		}
	}
	// Output:
	// job one
	// nothing to do
}
