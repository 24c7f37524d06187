package main

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// A span is a flag: a duration above 0.
type span time.Duration

func (s *span) String() string { return time.Duration(*s).String() }
func (s *span) Type() string   { return "duration" }
func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a duration above 0, such as 90s or 4h")
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
		return errors.New("want a whole number above 0")
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
