package runtime

// rouseLoud ends the quiet regions of the current task, which fails now: a panic that nobody
// recovers, or a fatal error.
func rouseLoud() {
	if t := getg().rouse; t != nil {
		t.quiet = 0
	}
}
