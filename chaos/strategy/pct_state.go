package strategy

// AppendBinary implements Resumable.
func (p *pct) AppendBinary(b []byte) ([]byte, error) { return appendWhole(b, p.name, p.code) }

// UnmarshalBinary implements Resumable.
func (p *pct) UnmarshalBinary(data []byte) error {
	read := &pct{name: p.name, least: p.least, most: p.most}
	err := readWhole(data, p.name, func(c *coder) bool {
		read.code(c)
		return true
	})
	if err == nil {
		*p = *read
	}
	return err
}

// code codes what the lengths of the executions have been.
func (p *pct) code(c *coder) {
	c.count(&p.runs)
	number(c, &p.fair, 0, anyNumber)
	for i := range p.lengths {
		number(c, &p.lengths[i], 0, anyNumber)
	}
}
