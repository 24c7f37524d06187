package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// joinEnv makes the test binary one of the processes of TestJoined, by its role.
const joinEnv = "PROCESS_JOINS"

// joining starts this test in a role, in a group of its own.
func joining(t *testing.T, role string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestJoined$")
	cmd.Env = append(os.Environ(), joinEnv+"="+role)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	endWithParent(cmd) // as Command
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(out)
}

// joiner is the command of a guard. It starts a process in the group of its parent, which prints its number.
func joiner(t *testing.T) {
	group, err := syscall.Getpgid(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sh", "-c", "echo $$; exec sleep 1000")
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group}
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Hour)
}

// leaver is one that joins that group itself.
func leaver(t *testing.T) {
	group, err := syscall.Getpgid(os.Getppid())
	if err == nil {
		err = syscall.Setpgid(0, group)
	}
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(os.Getpid())
	time.Sleep(time.Hour)
}

// leader runs a command that joins its group. It ends the command, or waits until it is killed.
func leader(t *testing.T, kind, end string) {
	cmd, out := joining(t, kind)
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	g.Add(cmd)
	var strays Strays
	for _, target := range strays.Look(cmd.Process.Pid) {
		g.AddTarget(target)
	}
	fmt.Print(line)
	if end == "killed" {
		time.Sleep(time.Hour)
	}
	Kill(cmd)
	cmd.Wait() //nolint:errcheck // it was killed
	strays.Kill()
	g.Close()
	fmt.Println("lives")
}

// Catches: a guard that kills its own process group, which a process below it has joined, and one that leaves such a
// process running.
func TestJoined(t *testing.T) {
	runtime.LockOSThread() // what it starts ends with the thread
	defer runtime.UnlockOSThread()
	switch role, rest, _ := strings.Cut(os.Getenv(joinEnv), " "); role {
	case "":
	case "joiner":
		joiner(t)
	case "leaver":
		leaver(t)
	default:
		leader(t, role[len("of-"):], rest)
		return
	}
	for _, kind := range []string{"joiner", "leaver"} {
		for _, end := range []string{"ended", "killed"} {
			leader, out := joining(t, "of-"+kind+" "+end)
			bystander := exec.Command("sleep", "1000")
			bystander.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: leader.Process.Pid}
			if err := bystander.Start(); err != nil {
				t.Fatal(err)
			}
			line, _ := out.ReadString('\n')
			pid, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil {
				t.Fatalf("%s, %s: %q", kind, end, line)
			}
			if end == "killed" {
				leader.Process.Kill()
			} else if line, _ = out.ReadString('\n'); line != "lives\n" {
				t.Errorf("%s: got %q of the one that ends a command", kind, line)
			}
			leader.Wait() //nolint:errcheck // what it has left counts
			for tries := 0; syscall.Kill(pid, 0) == nil && !zombie(pid); tries++ {
				if tries == 1000 {
					syscall.Kill(pid, syscall.SIGKILL)
					t.Fatalf("%s, %s: process %d is left", kind, end, pid)
				}
				time.Sleep(10 * time.Millisecond)
			}
			if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", bystander.Process.Pid)); err != nil || strings.Contains(string(stat), ") Z ") {
				t.Errorf("%s, %s: the other process of the group was killed: %s, %v", kind, end, stat, err)
			}
			bystander.Process.Kill()
			bystander.Wait() //nolint:errcheck // it was killed
		}
	}
}
