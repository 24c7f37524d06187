// Package remote arms faults in a running program: a service built with -tags chaos, from its
// environment or by HTTP.
//
//	func main() {
//		faults := remote.Enable() // arms the plan in $CHAOS_PLAN, if there is one
//		l, err := faults.Listen("127.0.0.1:6060")
//		if err != nil { ... }
//		go faults.Serve(ctx, l)
//		... the service ...
//	}
//
// or mounts the handler elsewhere:
//
//	mux.Handle("/chaos/", http.StripPrefix("/chaos", faults))
//
// An import alone arms nothing and listens nowhere. In a binary without the tag Arm returns
// native.ErrNotChaos, the handler answers 501, and Enable does nothing.
//
// # CHAOS_PLAN
//
// The variable holds a plan in the form of plan.Parse, or the name of a file that holds one.
// A value with a brace, a bracket or a colon and a space is a plan. On one line it is YAML's
// flow style. A plan that is wrong is one line on standard error, and the program ends with
// exit code 2 before it serves a request: without the faults that were asked for, a test
// would lead to wrong conclusions.
//
//	CHAOS_PLAN='{at: queue/pushed, fault: delay, for: 1ms..5ms, probability: 0.1, ttl: 10m}' ./service
//	CHAOS_PLAN='{seed: 7, plan: [{at: queue/pushed, fault: yield}, {at: queue/full, fault: yield}]}' ./service
//
// # Time to live
//
// Each fault has one: the key ttl, or the default (DefaultTTL); more than a maximum (MaxTTL) is
// refused. Then the fault stops firing, goroutines that it delays or holds go on, and the counts
// stay. Disarm does that to all faults at once.
//
// # HTTP
//
//	curl http://127.0.0.1:6060/points                 # the hook points, and the faults that each offers
//	curl http://127.0.0.1:6060/status                 # the armed plan, and how often each fault has fired
//	curl -H "Authorization: Bearer $CHAOS_TOKEN" -H 'Content-Type: application/x-chaos-plan' --data-binary @plan.txt http://127.0.0.1:6060/arm
//	curl -H "Authorization: Bearer $CHAOS_TOKEN" -H 'Content-Type: application/x-chaos-plan' -X POST http://127.0.0.1:6060/disarm
//
// A request that changes something needs the token of the service: $CHAOS_TOKEN (16 characters or
// more) or WithToken's. Without either the service draws one at each start, which Enable logs on
// standard error and Token returns.
//
// One plan is armed at a time: to replace it, POST /arm?replace=true. Answers are JSON;
// an error has the key error, and the status 400 (a bad plan), 401 (the token is missing or
// wrong), 403 (a request that is never answered), 405 and 415 (method, content type),
// 409 (one is armed) or 501 (no hook points).
//
// A plan can slow the service down and make it drop notifications. Requests are answered only if
// they come from a loopback address and name a loopback address or localhost as the host, which
// defeats DNS rebinding. A request with an Origin of another site, or with a header that proxies
// add, is refused; a change is a POST with a content type that no form has. A reverse proxy on the
// same machine that adds no header cannot be recognised: requests through it can read points and
// status, and change nothing without the token. WithRemote allows other addresses and hosts.
//
// The package imports chaos/plan, chaos/native and hooks. It must never import chaos, which has
// command-line flags, nor pool, sleep or stress.
package remote
