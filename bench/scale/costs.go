package scale

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rouse-go/rouse/internal/nearest"
)

// Costs are what the steps of a pool take, in nanoseconds: the input of a simulation.
// DefaultCosts returns those of the machine on which the documents' figures were made; Measure,
// those of this one.
type Costs struct {
	Machine string // where they were measured; for people

	Load       float64 // a value that this core has at hand
	RMW        float64 // a read-modify-write of a line that it had last
	Transfer   float64 // what it takes longer if the line is another core's
	Probe      float64 // a thief's visit to an empty deque, of few that it has seen
	ProbeMany  float64 // the same of 4,096, which don't fit into the nearest cache
	Yield      float64 // runtime.Gosched where nobody else wants the core
	Execute    float64 // around a job from a queue
	Notify     float64 // to wake a sleeper, for the waker
	NotifyNext float64 // to wake one more by the same broadcast
	Wake       float64 // from then until the sleeper runs, if its waker goes on
	WakeQuick  float64 // the same if its waker waits for something then
	Park       float64 // to fall asleep and be brought back, in processor time
}

// fields are the costs in the order in which they are written.
func (c *Costs) fields() []costField {
	return []costField{
		{"load_ns", &c.Load}, {"rmw_ns", &c.RMW}, {"transfer_ns", &c.Transfer}, {"probe_ns", &c.Probe}, {"probe_many_ns", &c.ProbeMany},
		{"yield_ns", &c.Yield}, {"execute_ns", &c.Execute}, {"notify_ns", &c.Notify}, {"notify_next_ns", &c.NotifyNext},
		{"wake_ns", &c.Wake}, {"wake_quick_ns", &c.WakeQuick}, {"park_ns", &c.Park},
	}
}

type costField struct {
	name string
	ns   *float64
}

//go:embed costs.json
var defaultCosts []byte

// DefaultCosts returns the costs that are part of the program.
func DefaultCosts() Costs {
	c, err := ReadCosts(bytes.NewReader(defaultCosts))
	if err != nil {
		panic(err) // a test reads them
	}
	return c
}

// ReadCosts reads what WriteTo writes: one JSON object with all costs. Errors say where, by line
// and column, and what would be right.
func ReadCosts(from io.Reader) (Costs, error) {
	var c Costs
	text, err := io.ReadAll(from)
	if err != nil {
		return c, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	at := func(offset int64, format string, args ...any) error {
		before := text[:min(int(offset), len(text))]
		line := 1 + bytes.Count(before, []byte("\n"))
		column := 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1)
		return fmt.Errorf("%d:%d: %s", line, column, fmt.Sprintf(format, args...))
	}
	// begins is where the next token begins.
	begins := func() int64 {
		i := d.InputOffset()
		for int(i) < len(text) && strings.IndexByte(" \t\r\n,:", text[i]) >= 0 {
			i++
		}
		return i
	}
	start := begins()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return c, at(start, "want a JSON object of costs")
	}
	names := []string{"machine"}
	for _, f := range c.fields() {
		names = append(names, f.name)
	}
	have := map[string]bool{}
	for d.More() {
		start := begins()
		key, err := d.Token()
		if err != nil {
			return c, at(start, "no JSON: %v", err)
		}
		name := key.(string)
		if have[name] {
			return c, at(start, "%q is here twice", nearest.Clip(name))
		}
		have[name] = true
		start2 := begins()
		if name == "machine" {
			if err := d.Decode(&c.Machine); err != nil {
				return c, at(start2, "machine: want a string")
			}
			continue
		}
		var target *float64
		for _, f := range c.fields() {
			if f.name == name {
				target = f.ns
			}
		}
		if target == nil {
			return c, at(start, "there is no cost %q; %s", nearest.Clip(name), nearest.Hint(name, names))
		}
		if err := d.Decode(target); err != nil || *target < 0 || *target > 1e9 {
			return c, at(start2, "%s: want a number of nanoseconds from 0 to 1e9", name)
		}
	}
	end := begins()
	if _, err := d.Token(); err != nil {
		return c, at(end, "no JSON: the object does not end")
	}
	for _, f := range c.fields() {
		if !have[f.name] {
			return c, at(end, "%s is missing", f.name)
		}
	}
	return c, nil
}

// WriteTo writes the costs as JSON, one in a line.
func (c Costs) WriteTo(to io.Writer) (int64, error) {
	var b bytes.Buffer
	machine, _ := json.Marshal(c.Machine)
	fmt.Fprintf(&b, "{\n  \"machine\": %s", machine)
	for _, f := range c.fields() {
		fmt.Fprintf(&b, ",\n  %q: %.3g", f.name, *f.ns)
	}
	b.WriteString("\n}\n")
	return b.WriteTo(to)
}

// costs are Costs for a pool of one size, in virtual time.
type costs struct {
	load, rmw, transfer, probe, yield, execute, notify, notifyNext, wake, wakeQuick, park Time
}

// in returns the costs in a pool of so many workers. Deques of few workers are in the nearest cache,
// those of many in the next; between 64 and 4,096 the cost grows with the logarithm.
func (c Costs) in(workers int) costs {
	share := min(max(math.Log2(float64(workers)/64)/6, 0), 1)
	probe := c.Probe + share*(c.ProbeMany-c.Probe)
	return costs{
		load: nanoseconds(c.Load), rmw: nanoseconds(c.RMW), transfer: nanoseconds(c.Transfer), probe: nanoseconds(probe),
		yield: nanoseconds(c.Yield), execute: nanoseconds(c.Execute), notify: nanoseconds(c.Notify), notifyNext: nanoseconds(c.NotifyNext),
		wake: nanoseconds(c.Wake), wakeQuick: nanoseconds(c.WakeQuick), park: nanoseconds(c.Park),
	}
}
