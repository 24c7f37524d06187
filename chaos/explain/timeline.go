package explain

// Timelines holds the timelines of a failure.
type Timelines struct {
	Minimal *Timeline `json:"minimal,omitempty"` // by the shortest schedule that is known
	// Found is by the schedule as it was found; nil if that is the same, or unknown.
	Found *Timeline `json:"found,omitempty"`
	// Sources are lines by file and number; a reader of the sources fills them in.
	Sources map[string]map[int]string `json:"sources,omitempty"`
}

// A Timeline is an execution as data: each operation, and how it depends on others. Steps are given by
// their index.
type Timeline struct {
	Decisions int    `json:"decisions"`       // of its schedule: those that are not the default
	Switches  int    `json:"switches"`        // how often a task goes on after another one
	Lanes     []Lane `json:"lanes"`           // tasks, parents before children
	Steps     []Step `json:"steps"`           // in the order of time
	Edges     []Edge `json:"edges,omitempty"` // what happens before what, between lanes
	Spans     []Span `json:"spans,omitempty"` // held locks and waits
	Waits     []Wait `json:"waits,omitempty"` // at the end: which task waits for which
	Marks     []Mark `json:"marks,omitempty"` // what decides
	// Objects are the names of objects, as in Page.
	Objects map[int]string `json:"objects,omitempty"`
	// Frames are those that Callers of steps refer to.
	Frames []Frame  `json:"frames,omitempty"`
	Notes  []string `json:"notes,omitempty"` // what is left out
}

// A Lane is a task.
type Lane struct {
	Task  string `json:"task"`
	Title string `json:"title"`
	Part  bool   `json:"part,omitempty"` // it takes part in the failure, or in its schedule
	First int    `json:"first"`
	Last  int    `json:"last"` // -1 if it has not ended
}

// A Step is what a task did at once, or that it begins to wait.
type Step struct {
	Lane    int      `json:"lane"`
	Step    int      `json:"step,omitempty"` // 0 if unknown
	Time    int64    `json:"time,omitempty"` // virtual, in nanoseconds since the execution began
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Objects []int    `json:"objects,omitempty"`
	File    string   `json:"file,omitempty"`
	Line    int      `json:"line,omitempty"`
	Callers []int    `json:"callers,omitempty"` // of the function with that line, from the inside: Frames by index
	Remarks []string `json:"remarks,omitempty"` // how it turned out
	Kept    bool     `json:"kept,omitempty"`    // it may not be hidden
	// Value is the outcome of a choice ("takes case 1", "returns 3"), or what a channel's buffer holds
	// afterwards ("3 of 4").
	Value string `json:"value,omitempty"`
	// Via and Polls are as in a Row.
	Via   *Communication  `json:"via,omitempty"`
	Polls []Communication `json:"polls,omitempty"`
	// Switch is the entry of the schedule that applies here, a decision other than the default; "" if none.
	Switch string `json:"switch,omitempty"`
}

// A Communication is a send or a receive. Nth is how many cases of that direction are before it in the select.
type Communication struct {
	Object int  `json:"object"`
	Send   bool `json:"send,omitempty"`
	Nth    int  `json:"nth,omitempty"`
}

// An Edge says that one step happens before another one, of another lane.
type Edge struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Kind string `json:"kind"` // go, unlock, send, receive, close, wake, write, timer, join
}

// A Span is from one step to another one.
type Span struct {
	Lane   int    `json:"lane"`
	Kind   string `json:"kind"` // hold, hold for reading, wait
	Object int    `json:"object,omitempty"`
	From   int    `json:"from"`
	To     int    `json:"to"` // -1 if it lasts to the end
}

// A Wait is what a task waits for at the end.
type Wait struct {
	Task   string   `json:"task"`
	For    []string `json:"for,omitempty"` // tasks that hold it or could end the wait, if they are known
	Object int      `json:"object,omitempty"`
	Text   string   `json:"text"`
	// Partners describes which tasks have used the other side of that, as in Left.
	Partners string `json:"partners,omitempty"`
}

// A Mark is what decides.
type Mark struct {
	Kind  string `json:"kind"` // order, notification, race, check, closed, panic
	Steps []int  `json:"steps"`
	Text  string `json:"text"`
}
