package explain

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
)

// What is explained is not any task that waits: many programs have idle ones, such as the opener of a database/sql.DB. It
// is the end of a chain that begins with the test: it waits for a task, which waits for another, and so on.

// A chain is the tasks that the test waits for, directly or not.
type chain struct {
	tasks []string // in the order in which they are reached
	ends  []string // those of them that wait for no other task that is known, or for each other
}

// chainOf follows what the first task waits for; if it has ended, what those do that wait in the user's own code.
func (p *partners) chainOf(left []control.TaskState) (c chain) {
	var begins []string
	for _, t := range left {
		if t.Path == "main" {
			begins = []string{t.Path}
			break
		}
		if inOwnCode(t) {
			begins = append(begins, t.Path)
		}
	}
	c.tasks = p.reached(begins)
	for _, path := range c.tasks {
		if next := p.awaited(p.left[path]); len(next) == 0 || slices.Contains(p.reached(next), path) {
			c.ends = append(c.ends, path)
		}
	}
	return c
}

// first returns the tasks in the order in which they say most: the ends of the chain, the rest of it, and others.
func (c chain) first(left []control.TaskState) []control.TaskState {
	order := map[string]int{}
	for i, path := range slices.Concat(c.ends, c.tasks) {
		if _, known := order[path]; !known {
			order[path] = i - len(left)*2
		}
	}
	left = slices.Clone(left)
	slices.SortStableFunc(left, func(a, b control.TaskState) int { return cmp.Compare(order[a.Path], order[b.Path]) })
	return left
}

// reached returns the tasks that those wait for, directly or not, and those themselves.
func (p *partners) reached(begins []string) []string {
	all, known := slices.Clone(begins), map[string]bool{}
	for _, path := range begins {
		known[path] = true
	}
	for i := 0; i < len(all); i++ {
		for _, next := range p.awaited(p.left[all[i]]) {
			if !known[next] {
				known[next] = true
				all = append(all, next)
			}
		}
	}
	return all
}

// inOwnCode reports whether a task waits in the user's own code or tests.
func inOwnCode(t control.TaskState) bool {
	return len(t.Stack) > 0 && rankOf(control.Event{Site: t.Stack[0], Standard: t.Standard, Kind: strategy.Point}) <= 2
}

// awaited is awaitedBy, which looks through all events, once for each task.
func (p *partners) awaited(t control.TaskState) []string {
	tasks, known := p.awaits[t.Path]
	if !known {
		tasks = p.awaitedBy(t)
		p.awaits[t.Path] = tasks
	}
	return tasks
}

// awaitedBy returns the tasks that are left and that may end the wait of one: those that have what it waits for, or have
// used the other side of it before.
func (p *partners) awaitedBy(t control.TaskState) (tasks []string) {
	add := func(path string) {
		if _, isLeft := p.left[path]; isLeft && path != t.Path && !slices.Contains(tasks, path) {
			tasks = append(tasks, path)
		}
	}
	used := func(o int, s side) {
		for _, path := range p.byTime(use{o, s}) {
			add(path)
		}
	}
	switch {
	case t.Object == 0:
	case isLock(t.Kind), t.Kind == strategy.Once:
		for _, i := range (&wait{events: p.events, task: t}).holders() {
			add(p.events[i].Task)
		}
	case t.Kind == strategy.Send:
		used(t.Object, receives)
	case t.Kind == strategy.Receive:
		used(t.Object, sends)
	case t.Kind == strategy.Select:
		for _, c := range t.Cases {
			used(c.Object, sideOf(!c.Send))
		}
	case t.Kind == strategy.Wait && p.conditions[t.Object]:
		used(t.Object, signals)
	case t.Kind == strategy.Wait:
		for _, path := range p.started[t.Object] {
			add(path)
		}
	}
	if len(tasks) == 0 && (t.Kind == strategy.Wait && !p.conditions[t.Object] || strings.HasPrefix(t.Call, "testing.")) {
		for _, child := range slices.SortedFunc(maps.Keys(p.left), comparePaths) { // which task counts a WaitGroup down, or ends a subtest, is not known before
			if strings.HasPrefix(child, t.Path+"/") && !strings.Contains(child[len(t.Path)+1:], "/") && inOwnCode(p.left[child]) {
				add(child)
			}
		}
	}
	return tasks
}
