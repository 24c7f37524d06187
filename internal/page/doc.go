// Package page writes a failure as one page of HTML: the decisive steps, the execution with a lane for each
// goroutine, and the sources beside it.
//
// A page needs no network and no other file. Data from the subject is text in it, never markup or code.
package page
