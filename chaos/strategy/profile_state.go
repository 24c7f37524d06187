package strategy

import (
	"cmp"
	"slices"
)

// profileBytes is a profile as a state says it. It is complete when the execution that it
// is of has ended, and before any other the strategy can be asked: so it is made once.
func (p *profile) profileBytes() []byte {
	if p.said == nil {
		var c coder
		p.code(&c)
		p.said = c.bytes
	}
	return p.said
}

// code codes all that is known.
func (p *profile) code(c *coder) {
	list(c, &p.tasks, func(i int, t *profiledTask) {
		c.word(&t.key)
		number(c, &t.parent, -1, int64(i)) // parents are entered before their children
		number(c, &t.steps, 0, anyNumber)
		if c.reading {
			p.byKey[t.key] = i
		}
	})
	list(c, &p.shared, func(_ int, o *profiledObject) {
		c.flag(&o.written)
		list(c, &o.by, func(_ int, u *usage) {
			number(c, &u.task, 0, int64(len(p.tasks)))
			number(c, &u.times, 0, anyNumber)
		})
	})
	p.codeUses(c)
}

// codeUses codes the uses in an order of their own: a map has none.
func (p *profile) codeUses(c *coder) {
	var uses []use
	for u := range p.uses {
		uses = append(uses, u)
	}
	slices.SortFunc(uses, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.ops, b.ops), cmp.Compare(a.slot, b.slot))
	})
	list(c, &uses, func(_ int, u *use) {
		object := p.uses[*u]
		c.word(&u.key)
		number(c, &u.ops, 0, anyNumber)
		number(c, &u.slot, 0, anyNumber)
		number(c, &object, 0, int64(len(p.shared)))
		if c.reading {
			p.uses[*u] = object
		}
	})
}

// profileState codes a profile that may not be there yet.
func profileState(c *coder, p **profile) {
	has := *p != nil
	if c.flag(&has); !has {
		return
	}
	if !c.reading {
		said := (*p).profileBytes()
		c.raw(&said)
		return
	}
	inside := coder{bytes: c.take(c.uvarint()), reading: true}
	*p = newProfile()
	(*p).code(&inside)
	c.bad = c.bad || inside.bad || len(inside.bytes) > 0
}

// AppendBinary implements Resumable: the state is the profile.
func (u *urw) AppendBinary(b []byte) ([]byte, error) { return appendWhole(b, u.Name(), u.code) }

// UnmarshalBinary implements Resumable.
func (u *urw) UnmarshalBinary(data []byte) error {
	read := &urw{}
	err := readWhole(data, u.Name(), func(c *coder) bool {
		read.code(c)
		return true
	})
	if err == nil {
		*u = *read
	}
	return err
}

// code codes the profile: what follows from it is made by Begin.
func (u *urw) code(c *coder) { profileState(c, &u.profile) }

// AppendBinary implements Resumable: the state is the profile, and the order that the
// objects have been drawn into so far.
func (s *surw) AppendBinary(b []byte) ([]byte, error) { return appendWhole(b, s.Name(), s.code) }

// UnmarshalBinary implements Resumable.
func (s *surw) UnmarshalBinary(data []byte) error {
	read := &surw{intended: -1}
	err := readWhole(data, s.Name(), func(c *coder) bool {
		read.code(c)
		return true
	})
	if err == nil {
		*s = *read
	}
	return err
}

func (s *surw) code(c *coder) {
	profileState(c, &s.profile)
	started := s.started
	if c.flag(&started); !started || c.bad {
		return
	}
	if c.reading {
		if s.profile == nil {
			c.bad = true
			return
		}
		s.start()
	}
	candidates := slices.Clone(s.candidates)
	list(c, &candidates, func(_ int, object *int) { number(c, object, 0, int64(len(s.profile.shared))) })
	if !c.reading {
		return
	}
	sorted := slices.Clone(candidates)
	if slices.Sort(sorted); !slices.Equal(sorted, s.candidates) {
		c.bad = true
	}
	s.candidates = candidates
}
