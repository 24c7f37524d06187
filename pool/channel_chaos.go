//go:build chaos

package pool

import "github.com/rouse-go/rouse/hooks/channel"

// The operations on channels, where a controller sees them: a future's is closed, a spare's has its
// orders.

func closeChannel(c chan struct{}) { channel.Close(c) }

func sendOrders(c chan orders, o orders) { channel.Send(c, o) }

func receiveOrders(c chan orders) orders { return channel.Receive(c) }
