package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Strays holds the processes below a child that have left its group, as daemons do. They outlive the group. The zero
// value is empty.
//
// A stray may have joined any group of its session, such as that of this process or of the shell that started it. So a
// group is killed only if its leader is a stray, and otherwise the stray alone.
type Strays struct{ known map[int]stray }

type stray struct {
	group int
	start string // when it began: another process may get its number
	led   bool   // the leader of the group was a stray when this stray was last added
}

// Look adds the strays that are now below a running child. It does not find a stray whose parent has already ended. It
// returns the added targets, for a guard.
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

// Kill kills the strays that still run, with the groups that strays lead, and returns all targets that were added.
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

// target returns the target that a guard must kill.
func (s stray) target(pid int) Target {
	if s.led {
		return Target{Group: s.group}
	}
	return Target{Process: pid, start: s.start}
}

// targetOf returns the target for a single process.
func targetOf(pid int) Target {
	p, _ := strayOf(pid) // it is a child that runs
	return p.target(pid)
}

// below appends the children of a process, and their descendants.
func below(pid int, all []int) []int {
	for _, child := range children(pid) {
		all = below(child, append(all, child))
	}
	return all
}

// children returns the children of all threads of a process.
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

// threads returns the folders of the threads of a process, or nil if it has ended.
func threads(pid int) []string {
	folders, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	return folders
}

// strayOf reads the group and the start time of a process.
func strayOf(pid int) (stray, bool) {
	p, ok := statOf(pid)
	return stray{group: p.group, start: p.start}, ok
}
