//go:build !linux

package runtime

func rouseWaitsFor(*pollDesc, int) {}

func (c *RouseGroup) fetchForTasks() {}

func rousePolledNetwork() {}

func rouseAwaitPoller() {}
