package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Strays are the processes that a child has started, itself or by others, and that have left its group: as daemons
// do. They outlive the group. The zero value is none.
//
// A stray may have joined any group of its session: that of this process, or of the shell that has started it. So a
// group is killed only if its leader is a stray, and otherwise the stray alone.
type Strays struct{ known map[int]stray }

type stray struct {
	group int
	start string // when it began: another process may get its number
	led   bool   // the leader of the group is a stray, or was one when the stray was seen first
}

// Look adds those that there are now below a child that runs. One whose parent has ended before is not found. It
// returns what it has added, for a guard.
func (s *Strays) Look(pid int) (added []Target) {
	now := map[int]stray{}
	for _, p := range below(pid, nil) {
		if got, ok := strayOf(p); ok && got.group != pid {
			now[p] = got
		}
	}
	for p, got := range now {
		was, known := s.known[p]
		if known = known && was.start == got.start; known && was.group == got.group {
			continue
		}
		leader, below := now[got.group]
		got.led = below && leader.group == got.group && got.group > 1 && got.group != syscall.Getpgrp()
		if s.known == nil {
			s.known = map[int]stray{}
		}
		s.known[p] = got
		added = append(added, got.target(p))
	}
	return added
}

// Kill ends those that still run, with the groups that they lead, and returns all that were added.
func (s *Strays) Kill() (all []Target) {
	for p, was := range s.known {
		now, ok := strayOf(p)
		switch ok = ok && now.start == was.start; {
		case ok && was.led && now.group == was.group:
			syscall.Kill(-was.group, syscall.SIGKILL) //nolint:errcheck // it may be gone
		case ok:
			syscall.Kill(p, syscall.SIGKILL) //nolint:errcheck // likewise
		}
		all = append(all, was.target(p))
	}
	s.known = nil
	return all
}

// target is what a guard has to kill.
func (s stray) target(pid int) Target {
	if s.led {
		return Target{Group: s.group}
	}
	return Target{Process: pid, start: s.start}
}

// targetOf is one process.
func targetOf(pid int) Target {
	p, _ := strayOf(pid) // it is a child that runs
	return p.target(pid)
}

// below appends the processes that one has started, and those that these have.
func below(pid int, all []int) []int {
	for _, child := range children(pid) {
		all = below(child, append(all, child))
	}
	return all
}

// children are those of all threads of a process.
func children(pid int) (all []int) {
	for _, thread := range threads(pid) {
		text, err := os.ReadFile(filepath.Join(thread, "children")) // no pattern: it would read the folder of each thread
		if err != nil {
			continue // the thread has ended
		}
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}

// threads are the folders of the threads of a process; none if it has ended.
func threads(pid int) []string {
	folders, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	return folders
}

// strayOf reads the group of a process and when it began.
func strayOf(pid int) (stray, bool) {
	p, ok := statOf(pid)
	return stray{group: p.group, start: p.start}, ok
}
