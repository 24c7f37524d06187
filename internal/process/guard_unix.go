//go:build unix

package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// A Guard is a process that ends the groups of commands if this process is killed: all processes that the commands
// have started, and on Linux also those that were seen to leave a group. nil and the zero value guard nothing.
type Guard struct {
	mu      sync.Mutex
	cmd     *exec.Cmd
	targets io.WriteCloser
	begun   map[int]Target // of the commands of Begin, by process
}

// guardScript reads which targets have begun (+) and ended (-), until this process is gone. A target is a group, such
// as g7, or a process with its start time, such as p7:1234, which is the 20th word behind the name in its stat file.
const guardScript = `trap '' INT TERM HUP
targets=
while read -r what target; do
	case $what in
	+) targets="$targets $target" ;;
	-)
		kept=
		for t in $targets; do [ "$t" = "$target" ] || kept="$kept $t"; done
		targets=$kept
		;;
	esac
done
for t in $targets; do
	case $t in
	g*) kill -KILL -"${t#g}" ;;
	p*)
		pid=${t#p} pid=${pid%:*}
		read -r stat </proc/$pid/stat || continue
		set -- ${stat##*) }
		[ "${20}" = "${t#*:}" ] && kill -KILL "$pid"
		;;
	esac
done 2>/dev/null`

// startScript execs its command when it reads a line from descriptor 3, and exits if it reads none.
const startScript = `read -r go <&3 || exit 1; exec "$@" 3<&-`

// NewGuard starts a guard. The caller must call Close.
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
	g.targets = in
	return g, nil
}

// Run is like the function Run, but guards the group from before the command begins, and kills the rest of the
// group when the command ends. The command must have no ExtraFiles, and is run by a shell.
func (g *Guard) Run(cmd *exec.Cmd) error {
	return g.RunWatched(cmd, func(<-chan struct{}) {})
}

// RunWatched is like Run, but also calls watch while the command runs. watch must return when the channel is closed,
// because then the command has ended.
func (g *Guard) RunWatched(cmd *exec.Cmd, watch func(ended <-chan struct{})) error {
	if g == nil || g.targets == nil || cmd.Err != nil {
		return Run(cmd)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := g.start(cmd, g.Add); err != nil {
		return err
	}
	defer g.Remove(cmd)
	defer Kill(cmd)
	return g.wait(cmd, watch)
}

// Start is like cmd.Start, but calls Begin before the command begins. The command must have no ExtraFiles, and is run
// by a shell.
func (g *Guard) Start(cmd *exec.Cmd) error { return g.start(cmd, g.Begin) }

// start starts a command, and notifies the guard before the command begins.
func (g *Guard) start(cmd *exec.Cmd, notify func(*exec.Cmd)) error {
	if g == nil || g.targets == nil || cmd.Err != nil {
		return cmd.Start()
	}
	begin, beginning, err := os.Pipe()
	if err != nil {
		return err
	}
	defer beginning.Close()
	cmd.Args = append([]string{"sh", "-c", startScript, "sh", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = "/bin/sh"
	cmd.ExtraFiles = []*os.File{begin}
	err = cmd.Start()
	begin.Close()
	if err != nil {
		return err
	}
	// 1. The guard is notified of the group. 2. The command begins. In the other order, a parent that
	// is killed in between would leave processes that the command has started.
	notify(cmd)
	fmt.Fprintln(beginning) //nolint:errcheck // without its end of the pipe the shell has ended
	return nil
}

// RunInTerminal is like cmd.Run, for a command in the group of this process: it has the terminal and gets a Ctrl-C,
// which this process ignores from now on. Processes that the command has started are guarded, and end with it. The
// command is killed when the context ends; then the error is the cause.
func (g *Guard) RunInTerminal(ctx context.Context, cmd *exec.Cmd) error {
	if err := g.Start(cmd); err != nil {
		return err
	}
	signal.Ignore(os.Interrupt) // not before: the command would, too
	err := g.wait(cmd, func(ended <-chan struct{}) {
		select {
		case <-ended:
		case <-ctx.Done():
			cmd.Process.Kill() //nolint:errcheck // it may be gone
		}
	})
	g.End(cmd)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// wait waits for a command while watch runs, and then kills the processes that have left its group.
func (g *Guard) wait(cmd *exec.Cmd, watch func(ended <-chan struct{})) error {
	ended := make(chan struct{})
	var watching sync.WaitGroup
	var strays Strays
	watching.Go(func() { watch(ended) })
	watching.Go(func() { g.look(cmd, &strays, ended) })
	err := cmd.Wait()
	close(ended)
	watching.Wait()
	for _, target := range strays.Kill() {
		g.RemoveTarget(target)
	}
	return err
}

// strayTick is the interval between searches for processes that have left a command's group.
const strayTick = 100 * time.Millisecond

// look guards the processes that have left the command's group, until the command has ended.
func (g *Guard) look(cmd *exec.Cmd, strays *Strays, ended <-chan struct{}) {
	ticks := time.NewTicker(strayTick)
	defer ticks.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ticks.C:
		}
		for _, target := range strays.Look(cmd.Process.Pid) {
			g.AddTarget(target)
		}
	}
}

// Begin guards a command that has been started without Run: its group, or its process if it has no group of its own. On
// Linux it also guards processes that have lost their parent below the command. The caller must call End.
func (g *Guard) Begin(cmd *exec.Cmd) {
	if g == nil || g.targets == nil {
		return
	}
	t := Target{Group: cmd.Process.Pid}
	if cmd.SysProcAttr == nil || !cmd.SysProcAttr.Setpgid {
		t = targetOf(cmd.Process.Pid)
	}
	g.mu.Lock()
	if g.begun == nil {
		g.begun = map[int]Target{}
	}
	g.begun[cmd.Process.Pid] = t
	g.mu.Unlock()
	g.AddTarget(t)
	adopted.begin(g, cmd)
}

// End kills the processes that a command has left behind, and no longer guards it. The command has been waited for.
// Processes that another running command may have started are left until that command has ended, too.
func (g *Guard) End(cmd *exec.Cmd) {
	if g == nil || g.targets == nil {
		return
	}
	adopted.end(cmd)
	g.mu.Lock()
	t := g.begun[cmd.Process.Pid]
	delete(g.begun, cmd.Process.Pid)
	g.mu.Unlock()
	g.RemoveTarget(t)
}

// Add guards the group of a command that has been started without Run.
func (g *Guard) Add(cmd *exec.Cmd) { g.AddTarget(Target{Group: cmd.Process.Pid}) }

// Remove ends the guarding of a group.
func (g *Guard) Remove(cmd *exec.Cmd) { g.RemoveTarget(Target{Group: cmd.Process.Pid}) }

// AddTarget guards a target that Strays has found.
func (g *Guard) AddTarget(t Target) { g.write('+', t) }

// RemoveTarget ends the guarding of a target.
func (g *Guard) RemoveTarget(t Target) { g.write('-', t) }

func (g *Guard) write(what rune, t Target) {
	if g == nil || g.targets == nil {
		return
	}
	text := fmt.Sprintf("g%d", t.Group)
	if t.Group == 0 {
		text = fmt.Sprintf("p%d:%s", t.Process, t.start)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	fmt.Fprintf(g.targets, "%c %s\n", what, text) //nolint:errcheck // without the guard the commands run as well
}

// Close ends the guard.
func (g *Guard) Close() {
	if g.targets != nil {
		g.targets.Close()
		g.cmd.Wait() //nolint:errcheck // it has nothing to say
	}
}

// Separate gives the child a process group of its own: a Ctrl-C in the terminal
// reaches only the parent, and processes that the child may have started die with it.
func Separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// Kill ends the child and its whole group. The child may have left the group.
func Kill(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
	cmd.Process.Kill()                              //nolint:errcheck // likewise
}

// Interrogate makes a Go process print all its goroutines and exit. Of the running ones the process prints only the
// stack of the thread that gets the signal, so that is the busiest thread if it can be found. A stopped process is
// continued.
func Interrogate(cmd *exec.Cmd) {
	if !signalBusiest(cmd.Process.Pid, syscall.SIGQUIT) {
		syscall.Kill(cmd.Process.Pid, syscall.SIGQUIT) //nolint:errcheck // it may be gone
	}
	syscall.Kill(cmd.Process.Pid, syscall.SIGCONT) //nolint:errcheck // likewise
}

// Signal returns the name of the signal that ended the process, or "".
func Signal(cmd *exec.Cmd) string {
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return s.Signal().String()
	}
	return ""
}
