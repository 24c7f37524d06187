package goroot

import (
	"regexp"
	"slices"
	"strings"
)

// waits maps each reason that the runtime has for parking a goroutine to what that means for a task. The names are
// those of the constants of runtime/runtime2.go without waitReason. A reason that is not here stops [Make]: somebody
// has to read in the runtime which goroutine waits there, and for which one.
var waits = map[string]waitKind{
	"Zero": waitsAsTask, // no goroutine parks for it

	"ChanReceive": waitsForOthers, "ChanSend": waitsForOthers, "Select": waitsForOthers, "SyncCondWait": waitsForOthers,
	"SyncMutexLock": waitsForOthers, "SyncRWMutexLock": waitsForOthers, "SyncRWMutexRLock": waitsForOthers, "SyncWaitGroupWait": waitsForOthers,

	"ChanReceiveNilChan": waitsAsTask, "ChanSendNilChan": waitsAsTask, "SelectNoCases": waitsAsTask,
	"Coroutine": waitsAsTask, "IOWait": waitsAsTask, "Semacquire": waitsAsTask, "Sleep": waitsAsTask,
	"SynctestRun": waitsAsTask, "SynctestWait": waitsAsTask, "SynctestChanReceive": waitsAsTask, "SynctestChanSend": waitsAsTask,
	"SynctestSelect": waitsAsTask, "SynctestWaitGroupWait": waitsAsTask,
	"FinalizerWait": waitsAsTask, "CleanupWait": waitsAsTask, "ForceGCIdle": waitsAsTask, "UpdateGOMAXPROCSIdle": waitsAsTask, // of goroutines that are not tasks

	"DebugCall": waitsForRuntime, "DumpingHeap": waitsForRuntime, "FlushProcCaches": waitsForRuntime, "GarbageCollection": waitsForRuntime,
	"GarbageCollectionScan": waitsForRuntime, "GCAssistMarking": waitsForRuntime, "GCAssistWait": waitsForRuntime, "GCMarkTermination": waitsForRuntime,
	"GCScavengeWait": waitsForRuntime, "GCSweepWait": waitsForRuntime, "GCWeakToStrongWait": waitsForRuntime, "GCWorkerActive": waitsForRuntime,
	"GCWorkerIdle": waitsForRuntime, "PageTraceFlush": waitsForRuntime, "PanicWait": waitsForRuntime, "Preempted": waitsForRuntime,
	"StoppingTheWorld": waitsForRuntime, "TraceGoroutineStatus": waitsForRuntime, "TraceProcStatus": waitsForRuntime, "TraceReaderBlocked": waitsForRuntime,
	"WaitForGCCycle": waitsForRuntime,
}

// A waitKind says what it means for a task that its goroutine parks.
type waitKind string

// The kinds of waits.
const (
	waitsAsTask     waitKind = ""                  // it gives up its turn, and something may wake it
	waitsForOthers  waitKind = "rouseWaits"        // likewise, and that is another goroutine
	waitsForRuntime waitKind = "rouseRuntimeWaits" // the runtime waits for itself: the task keeps the turn
)

var waitReason = regexp.MustCompile(`(?m)^\twaitReason([A-Z]\w*)\b`)

// waitsOf returns the file that reports the kind of a wait, for the reasons that the runtime has.
func (t *tree) waitsOf() string {
	const file = "runtime/runtime2.go"
	f := t.file(file)
	if f == nil {
		return ""
	}
	reasons := map[waitKind][]string{}
	var found []string
	for _, m := range waitReason.FindAllStringSubmatch(strings.Join(f.lines, "\n"), -1) {
		found = append(found, m[1])
	}
	slices.Sort(found)
	if len(found) == 0 {
		t.missing = append(t.missing, file+": no waitReason")
	}
	for _, name := range slices.Compact(found) {
		kind, ok := waits[name]
		if !ok {
			t.missing = append(t.missing, file+": waitReason"+name+": this rouse does not know who waits then")
		}
		reasons[kind] = append(reasons[kind], "waitReason"+name)
	}
	var w strings.Builder
	w.WriteString("package runtime\n")
	for _, kind := range []waitKind{waitsForOthers, waitsForRuntime} {
		w.WriteString("\nfunc " + string(kind) + "(reason waitReason) bool {\n\tswitch reason {\n\tcase " + strings.Join(reasons[kind], ", ") + ":\n\t\treturn true\n\t}\n\treturn false\n}\n")
	}
	return w.String()
}
