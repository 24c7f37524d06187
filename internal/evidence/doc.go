// Package evidence describes what executions that all passed prove: how many there were, how many
// partial orders they had, how likely one more execution is to have a new one, what PCT guarantees, whether
// timers fired early, and what was out of control. It is the one place for these figures and their words.
//
// It travels below GOROOT with the engine, and imports chaos/strategy and internal/orders only.
package evidence
