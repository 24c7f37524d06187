//go:build unix

package runtime

// rouseMakeRoom has the kernel make room for files with high numbers, to which package driver moves those of the
// worker. It does that here, while there is one thread: with several, the kernel waits for all processors to have
// seen the change, which takes longer than all else that a process does before its first execution.
func rouseMakeRoom() {
	const (
		duplicate = 0    // F_DUPFD
		highest   = 1002 // highFile of package driver, and two more
	)
	if file, _ := fcntl(0, duplicate, highest); file >= 0 { // if the limits of the process allow it
		closefd(file)
	}
}
