package gopools

import (
	"runtime/debug"
)

// Versions returns the libraries' modules with their versions: "ants v2.12.1". It leaves out
// modules that the build info lacks, as that of a test does.
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

// modules maps the modules of the kinds other than rouse and the plain language to short names.
var modules = map[string]string{
	"golang.org/x/sync":               "errgroup",
	"github.com/panjf2000/ants/v2":    "ants",
	"github.com/alitto/pond/v2":       "pond",
	"github.com/sourcegraph/conc":     "conc",
	"github.com/gammazero/workerpool": "workerpool",
	"github.com/bytedance/gopkg":      "gopool",
}
