package native

import "github.com/rouse-go/rouse/hooks"

// Points of the tests, one for each verb.
var (
	atPoint     = hooks.Declare("native/at", "a goroutine passes", hooks.Disturbs)
	notifyPoint = hooks.Declare("native/notify", "a waiter is about to be notified", hooks.Disturbs|hooks.Drops|hooks.Duplicates)
	failPoint   = hooks.Declare("native/fail", "a CAS may lose", hooks.Disturbs|hooks.Fails|hooks.SpuriousWakes)
	valuePoint  = hooks.Declare("native/value", "a counter is incremented", hooks.Disturbs|hooks.Rolls)
)
