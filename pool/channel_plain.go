//go:build !chaos

package pool

func closeChannel(c chan struct{}) { close(c) }

func sendOrders(c chan orders, o orders) { c <- o }

func receiveOrders(c chan orders) orders { return <-c }
