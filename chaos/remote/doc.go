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
// $CHAOS_PLAN holds a plan in the form of plan.Parse, or the name of a file that holds one. A
// value with a brace, a bracket or a colon and a space is a plan. On one line it is YAML's flow
// style:
//
//	CHAOS_PLAN='{at: queue/pushed, fault: delay, for: 1ms..5ms, probability: 0.1, ttl: 10m}' ./service
//
// If the plan is wrong, Enable prints one line to standard error and exits with code 2 before
// the service answers a request. Each fault has a time to live: ttl, or DefaultTTL, at most MaxTTL.
//
// # HTTP
//
//	curl http://127.0.0.1:6060/points                 # the hook points, and the faults that each offers
//	curl http://127.0.0.1:6060/status                 # the armed plan, and how often each fault has fired
//	curl -H "Authorization: Bearer $CHAOS_TOKEN" -H 'Content-Type: application/x-chaos-plan' --data-binary @plan.txt http://127.0.0.1:6060/arm
//	curl -H "Authorization: Bearer $CHAOS_TOKEN" -H 'Content-Type: application/x-chaos-plan' -X POST http://127.0.0.1:6060/disarm
//
// One plan is armed at a time: POST /arm?replace=true replaces it. Answers are JSON; an error has
// the key error, and a status: 400 (a bad plan), 401 (the token is missing or wrong), 403 (a
// request that is never answered), 405 and 415 (method, content type), 409 (one is armed) or 501
// (no hook points). docs/remote.md documents which requests are answered, and from where.
//
// The package imports chaos/plan, chaos/native and hooks. It must never import chaos, which has
// command-line flags, nor pool, sleep or stress.
package remote
