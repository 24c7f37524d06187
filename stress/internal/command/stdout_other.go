//go:build !unix

package command

import "os"

// replaced: here writing to a standard file that is closed fails.
func replaced(*os.File) bool { return false }
