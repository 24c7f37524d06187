// Package splash has kernels of SPLASH-2 with the bug that SCTBench found in all of them: of the
// macros that adapt them to a platform, the one that waits for the workers at the end does nothing.
package splash
