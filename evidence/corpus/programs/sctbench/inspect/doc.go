// Package inspect has programs that SCTBench took from the examples of the model checker Inspect.
package inspect
