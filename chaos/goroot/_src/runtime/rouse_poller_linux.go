package runtime

// RousePoller returns the files of the poller, and makes them first: timers do anyway.
func RousePoller() (poll, wake int) {
	netpollGenericInit()
	return int(epfd), int(netpollEventFd)
}
