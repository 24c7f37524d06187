//go:build !unix

package driver

import (
	"io"
	"os"

	"internal/rouse/chaos/goroot/worker"
)

// keep does nothing: stress test starts no worker here.
func keep(file int) int { return file }

func makeNumber(string) int { return none }

func numbers(file *os.File) io.WriterAt { return file }

// ask is not used: stress test runs nothing here.
func ask(*worker.Worker, []byte) int { return 0 }
