// Package wire is the protocol between stress test and a test binary that was built with the overlay
// of package goroot. stress test starts the binary with the variable [Variable] in its environment, in
// the folder of its package, and with three further files. Two are pipes: requests arrive on
// [RequestFile], and answers leave on [AnswerFile]; each is one JSON object a line. The third is a
// regular file, [NumberFile]: before each execution the worker writes its number there, so that
// stress test knows which one a process has died in, whatever ended it; while one takes long, steps are
// counted behind that.
//
// A worker serves requests one after the other until the requests end. It answers each request with
// any number of [Progress] answers, and then with one of another kind. A worker that has found a
// failure is tainted: stress test lets it end, and asks a new one for what follows.
//
// The package travels below GOROOT, so it imports the standard library and packages that travel too.
package wire
