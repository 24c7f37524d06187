package testdeps

import "internal/rouse/driver"

// RouseWorker reports whether this process is a worker of stress test.
func (TestDeps) RouseWorker() bool { return driver.Worker() }

// RouseServe serves the requests of stress test: see driver.Serve.
func (TestDeps) RouseServe(tests, notes []string, execution func(test string, control map[string]any) (run func(), end func() (failed, skipped bool, message string), output func() string)) {
	driver.Serve(ImportPath, tests, notes, execution)
}
