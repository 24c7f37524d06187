// Package burst makes pool/burst a subject of package stress: senders hand out messages and wake
// their receivers in bursts. It uses of stress only package subject and the
// words of internal/prose. Of the module, only cmd/stress and tests import it.
package burst
