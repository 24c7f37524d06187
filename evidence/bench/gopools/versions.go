package gopools

import (
	"runtime/debug"
)

// Versions returns the modules that the libraries are from, with their versions: "ants v2.12.1".
// Those that the binary does not know of (a test's doesn't) are left out.
func Versions() (versions []string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, module := range info.Deps {
		if name, ok := modules[module.Path]; ok {
			versions = append(versions, name+" "+module.Version)
		}
	}
	return versions
}

// modules names the modules of those ways that are neither rouse nor the plain language.
var modules = map[string]string{
	"golang.org/x/sync":               "errgroup",
	"github.com/panjf2000/ants/v2":    "ants",
	"github.com/alitto/pond/v2":       "pond",
	"github.com/sourcegraph/conc":     "conc",
	"github.com/gammazero/workerpool": "workerpool",
	"github.com/bytedance/gopkg":      "gopool",
}
