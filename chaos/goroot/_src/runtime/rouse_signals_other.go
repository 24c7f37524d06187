//go:build !unix

package runtime

func rouseSignalled(uint32) {}

func rouseReceives() {}

func rouseSettleSignals() {}

func (c *RouseGroup) rouseFromSignal() (by int32, ok bool) { return rouseNone, false }

func (c *RouseGroup) alarmed() bool { return false }
