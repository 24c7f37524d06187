// Package loop sends a notification from a loop, and the loop stays.
package loop

import (
	"fmt"

	"github.com/rouse-go/rouse/hooks"
)

var notify = hooks.Declare("loop/notify", "the waiter is about to be notified", hooks.Disturbs|hooks.Drops)

var errNone = fmt.Errorf("no waiter")

// Wake counts to one.
func Wake(wake chan struct{}) error {
	if wake == nil {
		return errNone
	}
	for range hooks.Notify(notify) {
		wake <- struct{}{}
	}
	return nil
}
