// Package commandtest is what the tests of commands have in common.
package commandtest
