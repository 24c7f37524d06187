package wire

import (
	"bytes"
	"unicode/utf8"
)

// An Input is something from outside of the program that the tests may depend on: an environment variable, or a file
// whose content or existence package os was asked for. A result holds while its inputs are the same. As with go test,
// what other processes read, what comes over a network and the time are not among them.
type Input struct {
	Kind InputKind `json:"kind"`
	Name string    `json:"name"` // of a file: as the program has it, so it may be relative to the folder of the package
}

// An InputKind is how a program depends on an input.
type InputKind string

// The kinds of inputs.
const (
	InputEnv  InputKind = "env"
	InputOpen InputKind = "open" // the file, or what is in the folder
	InputStat InputKind = "stat"
)

var inputKinds = map[byte]InputKind{'e': InputEnv, 'o': InputOpen, 's': InputStat}

// ParseInputs reads the list of a worker: a letter for the kind, the name, and a zero, for each. lost means that
// some cannot be passed on.
func ParseInputs(list []byte) (all []Input, lost bool) {
	for len(list) > 0 {
		one, rest, ended := bytes.Cut(list, []byte{0})
		list = rest
		if !ended || len(one) == 0 || inputKinds[one[0]] == "" || !utf8.Valid(one) { // a name has no zero, or is none
			lost = true
			continue
		}
		all = append(all, Input{inputKinds[one[0]], string(one[1:])})
	}
	return all, lost
}
