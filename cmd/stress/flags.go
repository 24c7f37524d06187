package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/stress"
)

// A span is a flag: a duration above 0.
type span time.Duration

func (s *span) String() string { return time.Duration(*s).String() }
func (s *span) Type() string   { return "duration" }
func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a duration such as 90s or 4h, above 0 and at most 2562047h")
	}
	*s = span(d)
	return nil
}

// A count is a flag: a whole number above 0.
type count int

func (c *count) String() string { return strconv.Itoa(int(*c)) }
func (c *count) Type() string   { return "n" }
func (c *count) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n <= 0 {
		return fmt.Errorf("want a whole number from 1 to %d", math.MaxInt32)
	}
	*c = count(n)
	return nil
}

// A seed is a flag: a 64-bit number.
type seed uint64

func (s *seed) String() string { return "random" }
func (s *seed) Type() string   { return "seed" }
func (s *seed) Set(text string) error {
	base, digits := 10, text
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		base, digits = 16, hex
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		return errors.New("want a number of at most 64 bits, decimal or 0x and hexadecimal")
	}
	*s = seed(n)
	return nil
}

// A shard is a flag: one part of a campaign.
type shard stress.Shard

func (s *shard) String() string { return stress.Shard(*s).String() }
func (s *shard) Type() string   { return "i/n" }
func (s *shard) Set(text string) error {
	parsed, err := stress.ParseShard(text)
	if err == nil {
		*s = shard(parsed)
	}
	return err
}

// A path is a flag: the name of a file or folder, which fits on a line.
type path struct {
	name string
	what string // "file" or "folder"
}

func (p *path) String() string { return p.name }
func (p *path) Type() string   { return p.what }
func (p *path) Set(text string) error {
	if text == "" {
		return fmt.Errorf("want the name of a %s", p.what)
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return errors.New("want a name without control characters")
	}
	p.name = text
	return nil
}

// fileArg takes an argument that names a file.
func fileArg(c *cobra.Command, text string) (string, error) {
	p := path{what: "file"}
	if err := p.Set(text); err != nil {
		return "", usage("invalid argument %q of %s: %w", text, c.CommandPath(), err)
	}
	return p.name, nil
}
