package goroot

// What tasks do to the world outside: a point before and after each system call of package syscall, by which
// os, net and golang.org/x/sys make theirs. Those of the runtime itself are not points.
var world = []Patch{
	before("syscall/syscall_linux.go", "func Syscall(", "runtime_entersyscall()", "rousePoint := false; if rouse.On != 0 { rousePoint = rouseBefore(trap, a1, a2, a3) }", "a point"),
	after("syscall/syscall_linux.go", "func Syscall(", "runtime_exitsyscall()", "if rousePoint { rouseAfter(err) }", "a point after the operation"),
	before("syscall/syscall_linux.go", "func Syscall6(", "runtime_entersyscall()", "rousePoint := false; if rouse.On != 0 { rousePoint = rouseBefore(trap, a1, a2, a3) }", "a point"),
	after("syscall/syscall_linux.go", "func Syscall6(", "runtime_exitsyscall()", "if rouse.On != 0 || trap == SYS_MMAP { rouseDone6(trap, a1, a2, a4) }; if rousePoint { rouseAfter(err) }", "a point after the operation"),
	replace("syscall/syscall_linux.go", "func RawSyscall(", "return RawSyscall6(trap, a1, a2, a3, 0, 0, 0)", "if rouse.On == 0 || rouseOperation(trap, a1, a2, a3) == rouse.Begin || !rouseBefore(trap, a1, a2, a3) { return RawSyscall6(trap, a1, a2, a3, 0, 0, 0) }; r1, r2, err = RawSyscall6(trap, a1, a2, a3, 0, 0, 0); rouseAfter(err); return", "a point, before and after"),
	begin("syscall/zsyscall_linux_amd64.go", "func Umask(", "if old, ok := rouseUmask(mask); ok { return old }", "a point, which assembly and RawSyscall6 have not"),
	begin("syscall/zsyscall_linux_arm64.go", "func Umask(", "if old, ok := rouseUmask(mask); ok { return old }", "likewise"),
	begin("syscall/zsyscall_linux_amd64.go", "func prlimit1(", "if rouseLimits(newlimit != nil) { defer rouseAfter(0) }", "likewise"),
	begin("syscall/zsyscall_linux_arm64.go", "func prlimit1(", "if rouseLimits(newlimit != nil) { defer rouseAfter(0) }", "likewise"),
	begin("runtime/rdebug.go", "func setMaxStack(", "rouseSets()", "a point: other goroutines see it"),
	begin("runtime/proc.go", "func setMaxThreads(", "rouseSets()", "likewise"),
	begin("runtime/mgcpacer.go", "func setMemoryLimit(", "rouseSets()", "likewise"),
	begin("runtime/mprof.go", "func SetMutexProfileFraction(", "rouseSets()", "likewise"),
	begin("internal/poll/fd_mutex.go", "func (fd *FD) incref()", "if rouse.On != 0 { rouse.Aside(rouse.RLock, uintptr(unsafe.Pointer(fd))) }", "what comes before Close and what comes after it shows, and no order of the two is chosen"),
	begin("internal/poll/fd_unix.go", "func (fd *FD) Close()", "if rouse.On != 0 { rouse.Aside(rouse.Lock, uintptr(unsafe.Pointer(fd))) }", "likewise"),
	begin("os/file_unix.go", "func (f *File) fd()", "if rouse.On != 0 && f != nil { rouse.Aside(rouse.RLock, uintptr(unsafe.Pointer(&f.pfd))) }", "likewise"),
	begin("internal/poll/fd_mutex.go", "func (fd *FD) readLock()", "if rouse.On != 0 { rouse.Aside(rouse.RLock, uintptr(unsafe.Pointer(fd))); rouse.Transfer(uintptr(unsafe.Pointer(fd)), fd.rouseSysfd(), true) }", "a point: those of the system call are under its lock"),
	begin("internal/poll/fd_mutex.go", "func (fd *FD) writeLock()", "if rouse.On != 0 { rouse.Aside(rouse.RLock, uintptr(unsafe.Pointer(fd))); if n := fd.rouseSysfd(); n != 1 && n != 2 { rouse.Transfer(uintptr(unsafe.Pointer(fd)), n, false) } }", "likewise, but for what is printed"),
	begin("net/hosts.go", "func readHosts()", quietly, "what a process reads once, and then every five seconds, is no concern of a test"),
	begin("net/dnsclient_unix.go", "func (conf *resolverConfig) tryUpdate(", quietly, "likewise"),
	begin("net/nss.go", "func (conf *nsswitchConfig) tryUpdate()", quietly, "likewise"),
}
