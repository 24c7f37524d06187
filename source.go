package rouse

import "embed"

// Source holds the packages of the engine that package goroot adds below GOROOT: their import
// closure in the normal build is the standard library, each other, and internal/self, which has a
// form of its own there because an overlay cannot add assembly. Test files do not travel.
//
//go:embed chaos/control/*.go chaos/explain/*.go chaos/plan/*.go chaos/recording/*.go
//go:embed chaos/strategy/*.go chaos/verdict/*.go chaos/goroot/wire/*.go chaos/goroot/worker/*.go
//go:embed chaos/internal/core/*.go chaos/internal/firing/*.go chaos/internal/real/*.go chaos/internal/splitmix/*.go
//go:embed hooks/*.go internal/atomicfile/*.go internal/evidence/*.go internal/explore/*.go internal/goroutines/*.go internal/input/*.go
//go:embed internal/nearest/*.go internal/orders/*.go internal/plain/*.go internal/racing/*.go internal/seam/*.go
//go:embed internal/shell/*.go
var Source embed.FS
