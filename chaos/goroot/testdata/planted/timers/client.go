package timers

import "sync"

// A Client can be closed by its user and by the connection.
type Client struct {
	once   sync.Once
	closed chan struct{}
}

func NewClient() *Client { return &Client{closed: make(chan struct{})} }

// Closed is closed when the client is.
func (c *Client) Closed() <-chan struct{} { return c.closed }
