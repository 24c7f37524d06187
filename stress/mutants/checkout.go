package mutants

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

const module = "github.com/rouse-go/rouse"

// ErrNoGo: mutants are built, so there must be a Go toolchain.
var ErrNoGo = errors.New("mutants are built, and there is no go command in $PATH; install Go, or run it where it is")

// A Checkout is the source that mutants are made of.
type Checkout struct{ dir string }

// OpenCheckout returns the checkout in that folder, or an error that says why it is
// none: no module, or another one.
func OpenCheckout(name string) (Checkout, error) {
	dir, err := filepath.Abs(name)
	if err != nil {
		return Checkout{}, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Checkout{}, fmt.Errorf("%s: no go.mod, want the root of a checkout of %s", name, module)
	}
	if found := moduleLine.FindSubmatch(text); found == nil || !bytes.Equal(found[1], []byte(module)) {
		return Checkout{}, fmt.Errorf("%s: another module, want the root of a checkout of %s", name, module)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return Checkout{}, ErrNoGo
	}
	return Checkout{dir}, nil
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)\s*$`)

// Check returns an error if a mutant cannot be planted: a text that it replaces is
// not there. It builds nothing.
func (c Checkout) Check(all []Mutant) error {
	for i := range all {
		if _, err := all[i].Apply(os.DirFS(c.dir)); err != nil {
			return err
		}
	}
	return nil
}
