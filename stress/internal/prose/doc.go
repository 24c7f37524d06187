// Package prose puts counts and lists into sentences for people. It imports nothing of the
// module.
package prose
