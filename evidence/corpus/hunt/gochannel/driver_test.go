package example

import (
	"context"
	"testing"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
)

// The context of a subscriber ends beside Publish and Close.
func TestCancelBesidePublish(t *testing.T) {
	c := gochannel.NewGoChannel(gochannel.Config{BlockPublishUntilSubscriberAck: true}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	messages, err := c.Subscribe(ctx, "topic")
	if err != nil {
		t.Fatal(err)
	}
	go c.Publish("topic", message.NewMessage("1", nil))
	go cancel()
	for m := range messages {
		m.Nack()
	}
	c.Close()
}
