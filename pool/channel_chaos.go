//go:build chaos

package pool

import "github.com/rouse-go/rouse/hooks/channel"

// closeChannel closes the channel of a future where a controller sees it.
func closeChannel(c chan struct{}) { channel.Close(c) }
