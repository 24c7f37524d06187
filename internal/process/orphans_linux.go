package process

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Orphans are processes that commands have left behind, such as a daemon whose parent has ended. While a command of
// Guard.Begin runs, this process is a child subreaper, so that it becomes the parent of orphans, and can find them at
// any time, kill them and reap them. It also becomes the parent of orphans of other commands, such as the go
// command, which must not be killed. So each command of Begin has a mark that its children inherit. Only a process with
// the mark is killed, and not while a command runs that may have started it: a test may use its daemon.
//
// The mark is in the coredump filter: two bits that matter only for core dumps of memory that is mapped from
// persistent memory (DAX). A child inherits the filter from its parent, also across execve(2): see core(5).
type orphans struct {
	mu      sync.Mutex
	begun   map[int]*Guard // commands that run
	known   map[int]*orphan
	adopts  bool   // this process is a subreaper
	marked  uint64 // the filter of commands; 0 if there can be no mark
	looking bool
}

// adopted holds the orphans of this process.
var adopted orphans

// An orphan is a child that this process did not start.
type orphan struct {
	start  string
	of     map[int]*Guard // the running commands that may have started it
	below  Strays
	notify map[Target][]*Guard
}

const (
	prSetChildSubreaper = 36    // linux/prctl.h
	markBits            = 0x180 // MMF_DUMP_DAX_PRIVATE and MMF_DUMP_DAX_SHARED
)

// begin marks a command that has just been started.
func (o *orphans) begin(g *Guard, cmd *exec.Cmd) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.adopts {
		_, _, errno := syscall.Syscall6(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0, 0, 0, 0)
		o.adopts, o.begun, o.known = errno == 0, map[int]*Guard{}, map[int]*orphan{}
		if own, ok := filter("self"); ok && own&markBits == 0 {
			o.marked = own | markBits
		}
	}
	// A child with the mark is a command or an orphan, so a command is known before it has the mark.
	o.begun[cmd.Process.Pid] = g
	if o.marked != 0 {
		name := fmt.Sprintf("/proc/%d/coredump_filter", cmd.Process.Pid)
		os.WriteFile(name, fmt.Appendf(nil, "%#x", o.marked), 0) //nolint:errcheck // without it, orphans that are not seen are left
	}
	if !o.looking {
		o.looking = true
		go o.tick()
	}
}

// tick looks for orphans until no command runs, because those that have ended must be reaped, as init does.
func (o *orphans) tick() {
	for {
		time.Sleep(strayTick)
		o.mu.Lock()
		if len(o.begun) == 0 {
			o.looking = false
			o.mu.Unlock()
			return
		}
		o.look()
		o.mu.Unlock()
	}
}

// end kills the orphans that only this command, which has been waited for, or commands that ended earlier can have
// started. It returns when they are gone.
func (o *orphans) end(cmd *exec.Cmd) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.begun, cmd.Process.Pid)
	for _, k := range o.known {
		delete(k.of, cmd.Process.Pid)
	}
	// The next round finds the children of a process that was killed, or has been reaped.
	for begin := time.Now(); o.look() && time.Since(begin) < patience; {
		time.Sleep(time.Millisecond)
	}
}

// look finds new orphans, reaps those that have ended, and kills those of commands that have ended. It reports whether
// there may be more: it has killed or reaped one, whose children are orphans then.
func (o *orphans) look() (more bool) {
	there := map[int]bool{}
	for _, pid := range children(os.Getpid()) {
		if _, command := o.begun[pid]; command {
			continue
		}
		there[pid] = true
		p, ok := statOf(pid)
		k := o.known[pid]
		switch {
		case !ok:
		case p.state == 'Z':
			if k != nil || p.adopted(pid) {
				syscall.Wait4(pid, nil, syscall.WNOHANG, nil) //nolint:errcheck // the next look tries again
				delete(there, pid)
				more = true
			}
		case k == nil && !o.proved(pid):
		default:
			if k == nil {
				k = &orphan{start: p.start, of: maps.Clone(o.begun), notify: map[Target][]*Guard{}}
				if g := o.begun[p.group]; g != nil {
					k.of = map[int]*Guard{p.group: g}
				}
				o.known[pid] = k
			}
			if len(k.of) == 0 {
				syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may be gone
				more = true
				continue
			}
			k.guard(pid, p)
		}
	}
	for pid, k := range o.known {
		if !there[pid] {
			k.unguard()
			delete(o.known, pid)
		}
	}
	return more
}

// proved reports whether a child that this process did not start has the mark of a command.
func (o *orphans) proved(pid int) bool {
	own, ok := filter(strconv.Itoa(pid))
	return ok && o.marked != 0 && own == o.marked
}

// guard makes the guards kill the orphan, and the processes below it, if this process is killed.
func (k *orphan) guard(pid int, p stat) {
	targets := append(k.below.Look(pid), stray{group: p.group, start: p.start, led: p.group == pid}.target(pid))
	for _, t := range targets {
		if k.notify[t] != nil {
			continue
		}
		for _, g := range k.of {
			g.AddTarget(t)
			k.notify[t] = append(k.notify[t], g)
		}
	}
}

func (k *orphan) unguard() {
	for t, guards := range k.notify {
		for _, g := range guards {
			g.RemoveTarget(t)
		}
	}
}

// filter reads the coredump filter of a process.
func filter(pid string) (uint64, bool) {
	text, err := os.ReadFile("/proc/" + pid + "/coredump_filter")
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 16, 64)
	return n, err == nil
}

// adopted reports whether a child was not started by this process, which starts none in a new session or in the group
// of another process.
func (p stat) adopted(pid int) bool {
	own, ok := statOf(os.Getpid())
	return ok && (p.session != own.session || p.group != pid && p.group != own.group)
}

// A stat holds fields of a process's stat file.
type stat struct {
	state          byte
	group, session int
	start          string // when it began: another process may get its number
}

// statOf reads the stat file of a process.
func statOf(pid int) (stat, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	at := bytes.LastIndexByte(text, ')') // proc(5): pid (name) state ppid pgrp session ... starttime is the 22nd
	if err != nil || at < 0 {
		return stat{}, false
	}
	fields := strings.Fields(string(text[at+1:]))
	if len(fields) < 20 {
		return stat{}, false
	}
	group, err := strconv.Atoi(fields[2])
	session, errSession := strconv.Atoi(fields[3])
	return stat{fields[0][0], group, session, fields[19]}, err == nil && errSession == nil
}
