package foreign

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// A Program is a contestant that runs as a process of its own. Its methods must be called
// by one goroutine at a time.
type Program struct {
	Name    string
	Version string // what it is built from, for people
	path    string
	args    []string
	enter   func(pid int) error // if not nil: called with the process before its first turn

	process *exec.Cmd // nil before the first turn, and after the last
	to      io.WriteCloser
	from    *bufio.Reader
	broken  error // the reason for which the process ended: there are no more turns
}

// New returns a program that exists already, and is started with args.
func New(name, path string, args ...string) *Program {
	return &Program{Name: name, path: path, args: args}
}

// Fresh returns the same program as a process of its own, for turns that no other turns may
// precede.
func (p *Program) Fresh() *Program {
	return &Program{Name: p.Name, Version: p.Version, path: p.path, args: p.args, enter: p.enter}
}

// In returns the same program as a process of its own, on which enter is called before the
// first turn, to put it where its turns run.
func (p *Program) In(enter func(pid int) error) *Program {
	fresh := p.Fresh()
	fresh.enter = enter
	return fresh
}

// PID returns the process id, or 0 if the process does not run.
func (p *Program) PID() int {
	if p.process == nil {
		return 0
	}
	return p.process.Process.Pid
}

// Turn asks for one turn, starting the program if it does not run, and waits for the answer: the
// computed result, and the figures. If ctx ends, so does the program, and all later turns fail.
func (p *Program) Turn(ctx context.Context, row string, args ...int) (check float64, figures []float64, err error) {
	if p.broken != nil {
		return 0, nil, p.broken
	}
	if p.process == nil {
		if err := p.start(); err != nil {
			return 0, nil, err
		}
	}
	stop := context.AfterFunc(ctx, func() { p.process.Process.Kill() })
	defer stop()
	line, err := p.ask(row, args)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		p.broken = fmt.Errorf("%s: %w", p.Name, err)
		return 0, nil, p.broken
	}
	check, figures, err = parse(line)
	if err != nil {
		err = fmt.Errorf("%s: %w", p.Name, err)
	}
	return check, figures, err
}

func (p *Program) start() error {
	process := exec.Command(p.path, p.args...)
	to, err := process.StdinPipe()
	if err != nil {
		return err
	}
	from, err := process.StdoutPipe()
	if err != nil {
		return err
	}
	if err := process.Start(); err != nil {
		return err
	}
	p.process, p.to, p.from = process, to, bufio.NewReader(from)
	if p.enter == nil {
		return nil
	}
	if err := p.enter(process.Process.Pid); err != nil {
		p.broken = fmt.Errorf("%s: %w", p.Name, err)
	}
	return p.broken
}

// ask sends a line and returns the answer.
func (p *Program) ask(row string, args []int) (string, error) {
	var line strings.Builder
	line.WriteString(row)
	for _, a := range args {
		fmt.Fprintf(&line, " %d", a)
	}
	if _, err := io.WriteString(p.to, line.String()+"\n"); err != nil {
		return "", err
	}
	answer, err := p.from.ReadString('\n')
	if errors.Is(err, io.EOF) {
		return "", fmt.Errorf("ended without an answer to %q", &line)
	}
	return strings.TrimSuffix(answer, "\n"), err
}

// parse reads an answer.
func parse(line string) (check float64, figures []float64, err error) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "error":
		return 0, nil, errors.New(rest)
	case "ok":
	default:
		return 0, nil, fmt.Errorf("answer %q: want ok or error", clip(line))
	}
	for _, field := range strings.Fields(rest) {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, nil, fmt.Errorf("answer %q: %q is no number", clip(line), clip(field))
		}
		figures = append(figures, x)
	}
	if len(figures) == 0 {
		return 0, nil, fmt.Errorf("answer %q: want what was computed", clip(line))
	}
	return figures[0], figures[1:], nil
}

func clip(s string) string { return s[:min(len(s), 80)] }

// Close ends the program, if it runs, and waits for that.
func (p *Program) Close() {
	if p.process == nil {
		return
	}
	p.to.Close() // it ends when there are no more lines
	if p.broken != nil {
		p.process.Process.Kill()
	}
	p.process.Wait() // how it ended is no figure
	p.process = nil
}
