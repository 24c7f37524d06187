// Package burst makes pool/burst a subject of package stress: senders hand out messages and wake
// their receivers in bursts. It uses nothing of stress but package subject.
package burst
