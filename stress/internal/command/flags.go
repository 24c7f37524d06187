package command

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
)

// A spanFlag is a flag: a duration above 0.
type spanFlag time.Duration

func (s *spanFlag) String() string { return time.Duration(*s).String() }
func (s *spanFlag) Type() string   { return "duration" }
func (s *spanFlag) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a duration such as 90s or 4h, above 0 and at most 2562047h")
	}
	*s = spanFlag(d)
	return nil
}

// A Count is a flag: a whole number above 0.
type Count int

func (c *Count) String() string { return strconv.Itoa(int(*c)) }
func (c *Count) Type() string   { return "n" }
func (c *Count) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n <= 0 {
		return fmt.Errorf("want a whole number from 1 to %d", math.MaxInt32)
	}
	*c = Count(n)
	return nil
}

// A sizeFlag is a flag: an amount of memory, in bytes. 0 means not given, and a negative one means none.
type sizeFlag int64

const noSize = "none"

// sizeUnits lists the units of a size, the longest names first.
var sizeUnits = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}

func (s *sizeFlag) String() string { return "" }
func (s *sizeFlag) Type() string   { return "size" }
func (s *sizeFlag) Set(text string) error {
	if text == noSize {
		*s = -1
		return nil
	}
	for _, u := range sizeUnits {
		if digits, ok := strings.CutSuffix(text, u.name); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
			if bytes := n * float64(u.bytes); err == nil && bytes >= 1<<20 && bytes < 1<<62 {
				*s = sizeFlag(bytes)
				return nil
			}
		}
	}
	return errors.New("want a size of 1MiB or more, such as 500MiB or 2GiB, or " + noSize)
}

// memoryUsage describes the flag --memory.
const memoryUsage = "memory that a process may use, or none; it is ended then (default: three quarters of the machine's, divided among the processes)"

// A seedFlag is a flag: a 64-bit number.
type seedFlag uint64

func (s *seedFlag) String() string { return "random" }
func (s *seedFlag) Type() string   { return "seed" }
func (s *seedFlag) Set(text string) error {
	base, digits := 10, text
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		base, digits = 16, hex
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return errors.New("want a number of at most 64 bits, decimal or 0x and hexadecimal")
	}
	*s = seedFlag(n)
	return nil
}

// A Path is a flag: the name of a file or folder, which fits on a line.
type Path struct {
	Name string
	What string // "file" or "folder"
}

func (p *Path) String() string { return p.Name }
func (p *Path) Type() string   { return p.What }
func (p *Path) Set(text string) error {
	if text == "" {
		return fmt.Errorf("want the name of a %s", p.What)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return errors.New("want a name without control characters")
	}
	p.Name = text
	return nil
}

// fileArg takes an argument that names a file.
func fileArg(c *cobra.Command, text string) (string, error) {
	p := Path{What: "file"}
	if err := p.Set(text); err != nil {
		return "", Usage("invalid argument %q of %s: %w", text, c.CommandPath(), err)
	}
	return p.Name, nil
}
