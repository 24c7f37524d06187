package shorthand

// A place is a character of the text, from 0.
type place struct{ line, column int }

// A piece is what becomes one element.
type piece struct{ from, to place }

// An item is what begins on a line of its own.
type item struct {
	begin  place
	dash   bool
	block  bool      // its first line is a key whose value is on the next ones
	short  bool      // it must be written in full
	stray  *Unclosed // a bracket that closes nothing, which only a text in a block may have
	pieces []piece
}

// A scanner finds items and pieces, line by line.
type scanner struct {
	lines [][]rune
	level int // how far the first item is indented; -1 before it
	items []*item
	count int    // of pieces that are not empty
	most  int    // of them
	rest  *Place // where the next would begin

	// What is open at the end of a line.
	brackets []place // where they stand
	quote    rune
	quoted   place // where it stands

	starts bool // a scalar may begin here: a quotation mark is one
	keys   int  // on this line, outside brackets
	last   rune // on this line, but for blanks and comments
}

// scan scans the line of that number.
func (s *scanner) scan(n int) {
	line := s.lines[n]
	at := blanks(line)
	s.keys, s.last = 0, 0
	if len(s.brackets) == 0 && s.quote == 0 {
		empty := at == len(line) || line[at] == '#'
		marker := s.level < 0 && string(line) == "---"
		if empty || marker {
			return
		}
		if s.level < 0 {
			s.level = at
		}
		if at <= s.level {
			at = s.begin(n, at)
		}
		s.starts = true
	}
	for at < len(line) && (s.quote != 0 || !comment(line, at)) {
		at = s.step(n, at)
	}
	if s.rest != nil {
		return
	}
	it := s.item()
	if n == it.begin.line {
		it.block = s.keys == 1 && s.last == ':'
	}
	if s.keys > 1 { // outside brackets, no block has that
		it.short = true
	}
}

// begin begins an item, and returns where what follows its dash stands.
func (s *scanner) begin(n, at int) int {
	line := s.lines[n]
	it := &item{begin: place{n, at}}
	if line[at] == '-' && (at+1 == len(line) || blank(line[at+1])) {
		it.dash = true
		at++
	}
	s.items = append(s.items, it)
	s.next()
	return at
}

func (s *scanner) item() *item { return s.items[len(s.items)-1] }

// next begins a piece of the item.
func (s *scanner) next() {
	it := s.item()
	it.pieces = append(it.pieces, piece{})
	s.starts = true
}

// take makes a character a part of the piece.
func (s *scanner) take(n, at int) {
	it := s.item()
	p := &it.pieces[len(it.pieces)-1]
	if p.to == p.from {
		if s.count == s.most {
			s.rest = &Place{n + 1, at + 1}
			if len(it.pieces) == 1 {
				s.items = s.items[:len(s.items)-1]
			}
			return
		}
		s.count++
		p.from = place{n, at}
	}
	p.to = place{n, at + 1}
	s.last = s.lines[n][at]
}

// step takes what stands there, and returns where the next character is.
func (s *scanner) step(n, at int) int {
	line := s.lines[n]
	r := line[at]
	if s.quote != 0 {
		return s.within(n, at)
	}
	switch {
	case blank(r):
		return at + 1
	case r == ';' && len(s.brackets) == 0:
		s.item().short = true
		s.next()
		return at + 1
	}
	if s.take(n, at); s.rest != nil {
		return len(line)
	}
	started := s.starts
	s.starts = false
	switch {
	case started && (r == '&' || r == '!'): // a name, and then what it is the name of
		for at+1 < len(line) && !blank(line[at+1]) && line[at+1] != ';' && line[at+1] != ',' {
			at++
			s.take(n, at)
		}
		s.starts = true
	case started && (r == '"' || r == '\''):
		s.quote, s.quoted = r, place{n, at}
	case started && (r == '{' || r == '['):
		s.brackets = append(s.brackets, place{n, at})
		s.starts = true
	case len(s.brackets) > 0 && (r == '}' || r == ']'):
		s.brackets = s.brackets[:len(s.brackets)-1]
	case (r == '}' || r == ']') && s.item().stray == nil:
		s.item().stray = &Unclosed{Place{n + 1, at + 1}, "bracket"}
	case r == ',' && len(s.brackets) > 0:
		s.starts = true
	case r == ',' && !s.item().dash: // with one it may be in a text
		s.item().short = true
		s.starts = true
	case r == '-' && started && (at+1 == len(line) || blank(line[at+1])): // of a list within
		s.starts = true
	case r == ':' && s.colon(line, at):
		s.starts = true
		if len(s.brackets) == 0 {
			s.keys++
		}
	}
	return at + 1
}

// colon reports whether the colon there ends a key; after a quotation mark it does in JSON.
func (s *scanner) colon(line []rune, at int) bool {
	return at+1 == len(line) || blank(line[at+1]) || at > 0 && (line[at-1] == '"' || line[at-1] == '\'') ||
		len(s.brackets) > 0 && line[at+1] == '}'
}

// within takes a character within quotation marks.
func (s *scanner) within(n, at int) int {
	line := s.lines[n]
	s.take(n, at)
	switch r := line[at]; {
	case r == '\\' && s.quote == '"' && at+1 < len(line), r == '\'' && s.quote == r && at+1 < len(line) && line[at+1] == '\'':
		s.take(n, at+1)
		return at + 2
	case r == s.quote:
		s.quote = 0
	}
	return at + 1
}

// unclosed is what lacks its other; or nil.
func (s *scanner) unclosed() *Unclosed {
	for _, it := range s.items {
		if it.stray != nil && it.short && !it.block {
			return it.stray
		}
	}
	at, mark := s.quoted, "quotation mark"
	if s.quote == 0 {
		if len(s.brackets) == 0 {
			return nil
		}
		at, mark = s.brackets[len(s.brackets)-1], "bracket"
	}
	return &Unclosed{Place{at.line + 1, at.column + 1}, mark}
}

func blank(r rune) bool { return r == ' ' || r == '\t' }

// comment reports whether a comment begins there.
func comment(line []rune, at int) bool {
	return line[at] == '#' && (at == 0 || blank(line[at-1]) || line[at-1] == ';')
}
