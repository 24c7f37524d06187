package control

//go:norace
func (e *Engine) canCommunicate(t *task) bool { return true }

// act is the step of a pseudo-task.
//
//go:norace
func (e *Engine) act(t *task) {}
