package unmodified

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/rouse-go/rouse/chaos/goroot/wire"
	"github.com/rouse-go/rouse/internal/process"
)

// A program is a test binary that was built with the overlay.
type program struct {
	name   string // of its package, for people
	binary string
	dir    string
	tmp    string
	race   bool
	native bool
}

// answers sends requests to a new process with env in its environment, and returns its answers except
// progress, whose traces are added to the next answer. If there are fewer answers than requests, the
// error says how the process ended.
func (p *program) answers(ctx context.Context, env []string, limit time.Duration, requests ...wire.Request) (all []wire.Answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tmp, err := os.MkdirTemp(p.tmp, "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	cmd := process.Command(ctx, p.binary, "-test.paniconexit0", "-test.timeout=0", "-test.parallel=8")
	setup := wire.Setup{Version: wire.Version, Start: 1_700_000_000_000_000_000, Native: p.native}
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GOTRACEBACK=single", "TMPDIR="+tmp)
	if p.race {
		setup.RaceLog = filepath.Join(tmp, "race")
		cmd.Env = append(cmd.Env, wire.RaceVariable+"="+wire.RaceOptions("", setup.RaceLog))
	}
	text, err := json.Marshal(setup)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(append(cmd.Env, wire.Variable+"="+string(text)), env...)
	var output process.Ends
	cmd.Stdout, cmd.Stderr = &output, &output
	requested, ask, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ask.Close()
	replies, reply, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, requested.Close())
	}
	defer replies.Close()
	number, err := os.Create(filepath.Join(tmp, "number"))
	if err != nil {
		return nil, errors.Join(err, requested.Close(), reply.Close())
	}
	defer number.Close()
	cmd.ExtraFiles = []*os.File{wire.RequestFile - 3: requested, wire.AnswerFile - 3: reply, wire.NumberFile - 3: number}
	runtime.LockOSThread() // Linux ends the process when the thread that started it ends
	defer runtime.UnlockOSThread()
	err = cmd.Start()
	requested.Close()
	reply.Close()
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { process.Kill(cmd) })
	defer stop()
	go func() {
		defer ask.Close()
		encoder := json.NewEncoder(ask)
		for _, r := range requests {
			if encoder.Encode(r) != nil {
				return // it has ended
			}
		}
	}()
	traces := uint64(0) // since the last answer other than progress
	for decoder := json.NewDecoder(replies); ; {
		var a wire.Answer
		if decoder.Decode(&a) != nil {
			break
		}
		traces += a.Counts.Traces
		if a.Kind != wire.Progress {
			a.Counts.Traces, traces = traces, 0
			all = append(all, a)
		}
	}
	err = cmd.Wait()
	process.Kill(cmd)
	if ctx.Err() != nil {
		return all, errors.New("it does not end")
	}
	if len(all) < len(requests) {
		return all, fmt.Errorf("%v: %s", err, firstLine(output.String()))
	}
	return all, nil
}

var fatalLine = regexp.MustCompile(`(?m)^(fatal error|panic|SIG\w+): .*$`)

// firstLine is the first line that says something, without addresses.
func firstLine(text string) string {
	if line := fatalLine.FindString(text); line != "" {
		text = line
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.Join(strings.Fields(hexNumber.ReplaceAllString(line, "0x...")), " ")
}

var hexNumber = regexp.MustCompile(`0x[0-9a-f]+`)
