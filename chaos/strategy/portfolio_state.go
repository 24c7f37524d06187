package strategy

import "fmt"

// AppendBinary implements Resumable, if all its strategies are Resumable. It holds their states, and the
// orders that are remembered.
func (p *portfolio) AppendBinary(b []byte) ([]byte, error) {
	states := make([][]byte, len(p.arms))
	for i := range p.arms {
		own, ok := p.arms[i].Strategy.(Resumable)
		if !ok {
			return b, fmt.Errorf("strategy: %s: %s has no state to say: it is not a Resumable", p.Name(), p.arms[i].Name())
		}
		var err error
		if states[i], err = own.AppendBinary(nil); err != nil {
			return b, err
		}
	}
	return appendWhole(b, p.Name(), func(c *coder) { p.code(c, states) })
}

// UnmarshalBinary implements Resumable.
func (p *portfolio) UnmarshalBinary(data []byte) error {
	read := &portfolio{arms: make([]arm, len(p.arms)), seen: make([]uint64, ordersKept)}
	states := make([][]byte, len(p.arms))
	err := readWhole(data, p.Name(), func(c *coder) bool {
		read.code(c, states)
		return true
	})
	if err != nil {
		return err
	}
	if err := p.takeArms(states); err != nil {
		return err
	}
	for i := range read.arms {
		read.arms[i].Strategy, read.arms[i].observer = p.arms[i].Strategy, p.arms[i].observer
	}
	*p = *read
	return nil
}

// takeArms gives the strategies their states: to none, unless all take theirs.
func (p *portfolio) takeArms(states [][]byte) error {
	var before [][]byte
	for i := range p.arms {
		own, ok := p.arms[i].Strategy.(Resumable)
		if !ok {
			return fmt.Errorf("strategy: %s: %w: %s takes none", p.Name(), ErrState, p.arms[i].Name())
		}
		was, err := own.AppendBinary(nil)
		if err == nil {
			err = own.UnmarshalBinary(states[i])
		}
		if err != nil {
			for j, was := range before {
				p.arms[j].Strategy.(Resumable).UnmarshalBinary(was) //nolint:errcheck // it is its own
			}
			return err
		}
		before = append(before, was)
	}
	return nil
}

// code codes the arms with their states, the last pulls, and the orders.
func (p *portfolio) code(c *coder, states [][]byte) {
	for i := range p.arms {
		a := &p.arms[i]
		c.flag(&a.over)
		c.raw(&states[i])
	}
	c.count(&p.pulls)
	recent := p.recent[:min(p.pulls, lately)]
	for i := range recent {
		number(c, &recent[i].arm, 0, int64(len(p.arms)))
		c.flag(&recent[i].fresh)
		if c.reading && !c.bad {
			p.arms[recent[i].arm].add(recent[i].fresh, 1)
		}
	}
	var places []int
	for place, order := range p.seen {
		if order != 0 {
			places = append(places, place)
		}
	}
	list(c, &places, func(i int, place *int) {
		number(c, place, 0, ordersKept)
		c.word(&p.seen[*place])
	})
}
