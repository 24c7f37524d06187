//go:build unix

package process

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
)

// A Guard ends the groups of commands when this process is killed and cannot do it: all that they
// have started. It is a process of its own. The zero value guards nothing.
type Guard struct {
	mu     sync.Mutex
	cmd    *exec.Cmd
	groups io.WriteCloser
}

// guardScript reads which groups begin (+) and have ended (-), until this process is gone.
const guardScript = `trap '' INT TERM HUP
groups=
while read -r what group; do
	case $what in
	+) groups="$groups $group" ;;
	-)
		kept=
		for g in $groups; do [ "$g" = "$group" ] || kept="$kept $g"; done
		groups=$kept
		;;
	esac
done
for g in $groups; do kill -KILL -"$g"; done 2>/dev/null`

// NewGuard starts a guard. Close must follow.
func NewGuard() (*Guard, error) {
	g := &Guard{cmd: exec.Command("/bin/sh", "-c", guardScript)}
	Separate(g.cmd)
	in, err := g.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := g.cmd.Start(); err != nil {
		in.Close()
		return nil, err
	}
	g.groups = in
	return g, nil
}

// Run is the function Run, and the group is guarded. What the command has left of its group when it
// ends is ended, too.
func (g *Guard) Run(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return err
	}
	g.write('+', cmd)
	err := cmd.Wait()
	Kill(cmd)
	g.write('-', cmd)
	return err
}

func (g *Guard) write(what rune, cmd *exec.Cmd) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.groups != nil {
		fmt.Fprintf(g.groups, "%c %d\n", what, cmd.Process.Pid) //nolint:errcheck // without the guard the commands run as well
	}
}

// Close ends the guard.
func (g *Guard) Close() {
	if g.groups != nil {
		g.groups.Close()
		g.cmd.Wait() //nolint:errcheck // it has nothing to say
	}
}
