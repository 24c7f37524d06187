package process

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Strays are the processes that a child has started, itself or by others, and that have left its group: as daemons
// do. They outlive the group. The zero value is none.
type Strays struct{ known map[int]stray }

type stray struct {
	group int
	start string // when it began: another process may get its number
}

// Look adds those that there are now below a child that runs. One whose parent has ended before is not found. It
// returns the groups that it has added.
func (s *Strays) Look(pid int) (groups []int) {
	for _, p := range below(pid, nil) {
		if _, known := s.known[p]; known {
			continue
		}
		if got, ok := strayOf(p); ok && got.group != pid {
			if s.known == nil {
				s.known = map[int]stray{}
			}
			s.known[p] = got
			groups = append(groups, got.group)
		}
	}
	return groups
}

// Kill ends those that still run, with their groups, and returns all groups that were added.
func (s *Strays) Kill() (groups []int) {
	for p, was := range s.known {
		if now, ok := strayOf(p); ok && now.start == was.start && now.group == was.group {
			syscall.Kill(-was.group, syscall.SIGKILL) //nolint:errcheck // it may be gone
		}
		groups = append(groups, was.group)
	}
	s.known = nil
	return groups
}

// below appends the processes that one has started, and those that these have.
func below(pid int, all []int) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range lists {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				all = below(child, append(all, child))
			}
		}
	}
	return all
}

// strayOf reads the group of a process and when it began.
func strayOf(pid int) (stray, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	at := bytes.LastIndexByte(stat, ')') // proc(5): pid (name) state ppid pgrp ... starttime is the 22nd
	if err != nil || at < 0 {
		return stray{}, false
	}
	fields := strings.Fields(string(stat[at+1:]))
	if len(fields) < 20 {
		return stray{}, false
	}
	group, err := strconv.Atoi(fields[2])
	return stray{group, fields[19]}, err == nil && group > 1
}
