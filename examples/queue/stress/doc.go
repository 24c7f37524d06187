// Command stress torments the queue: what a user writes to have all of rouse for code
// of his own. target.go says what a queue is to the tool, scenarios.yaml what is done to
// it, and surprise.yaml has the scenario that finds the defect of NewOneCondition.
package main
