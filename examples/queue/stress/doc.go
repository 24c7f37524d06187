// Command stress is the stress command for the queue: everything that users write to run rouse on their
// own code. target.go describes the subject, scenarios.yaml has the campaign, and surprise.yaml a scenario
// that finds the defect of NewOneCondition.
package main
