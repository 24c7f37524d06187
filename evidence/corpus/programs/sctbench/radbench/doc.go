// Package radbench has programs after two bugs of RADBench, which SCTBench includes: of a JavaScript
// engine and of a portable runtime.
package radbench
