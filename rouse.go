// Package rouse holds the default campaign of cmd/stress: the scenarios that
// stress the pool when no other file is named. It is the root package because an
// embed cannot look upwards; it has no other purpose and imports nothing of the
// project.
//
// The toolkit is in hooks and chaos, the pool in pool and sleep, the scenarios'
// meaning in stress.
package rouse

import _ "embed"

// Scenarios is the text of scenarios.yaml, in the form that stress.Load reads.
//
//go:embed scenarios.yaml
var Scenarios []byte
