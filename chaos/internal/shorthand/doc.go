// Package shorthand writes plans that a person has shortened as the YAML that they stand
// for, so that one reader reads both. It knows where keys, quotation marks, brackets and
// comments begin and end, and neither what keys there are nor what they mean.
//
// It imports only the standard library. Package chaos/plan imports it, in the chaos build.
package shorthand
