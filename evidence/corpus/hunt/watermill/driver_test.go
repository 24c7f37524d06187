package example

import (
	"testing"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
)

// Publish beside Close publishes, or returns an error.
func TestPublishBesideClose(t *testing.T) {
	c := gochannel.NewGoChannel(gochannel.Config{Persistent: true}, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Publish("topic", message.NewMessage("1", nil))
	}()
	c.Close()
	<-done
}
