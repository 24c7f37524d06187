//go:build chaos

package channel_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/internal/recorder"
	"github.com/rouse-go/rouse/internal/seam"
)

func TestOperationsPassTheirPoints(t *testing.T) {
	r := recorder.Install(t)
	passed := make(map[string]bool)
	c := make(chan int, 1)
	send, receive := channel.OnSend(c, 1), channel.OnReceive(c, nil, nil)
	never := channel.OnReceive(nowhere, nil, nil)
	for _, op := range []struct {
		name   string
		do     func()
		points string
	}{
		{"Send", func() { channel.Send(c, 1) }, "send sent"},
		{"Len", func() { channel.Len(c) }, "len"},
		{"Cap", func() { channel.Cap(c) }, ""},
		{"Receive", func() { channel.Receive(c) }, "receive received"},
		{"Select of one", func() { channel.Select(send) }, "select selected"},
		{"ReceiveOK", func() { channel.ReceiveOK(c) }, "receive received"},
		{"Select of two", func() { channel.Select(send, never) }, "select selected"},
		{"Select of one, or the default", func() { channel.Select(send, channel.Default) }, "select selected"},
		{"Select of two, or the default", func() { channel.Select(send, never, channel.Default) }, "select selected"},
		{"Select of a default", func() { channel.Select(channel.Default) }, "select selected"},
		{"Select2", func() { channel.Select(never, receive) }, "select selected"},
		{"Select of one that is ready", func() { channel.Select(send, channel.Default) }, "select selected"},
		{"Select without a ready case", func() { channel.Select(send, channel.Default) }, "select selected"},
		{"Close", func() { channel.Close(c) }, "close closed"},
		{"Range", func() {
			for range channel.Range(c) {
			}
		}, "receive received receive received"},
		{"cases that are not selected", func() { channel.OnSend(c, 1); channel.OnReceive(c, nil, nil) }, ""},
	} {
		r.Trace = nil
		op.do()
		var want []string
		for _, name := range strings.Fields(op.points) {
			want = append(want, "channel/"+name)
			passed["channel/"+name] = true
		}
		if !slices.Equal(r.Trace, want) {
			t.Errorf("%s passes %q, want %q", op.name, r.Trace, want)
		}
	}
	for _, p := range seam.Points() {
		if strings.HasPrefix(p.Name, "channel/") && !passed[p.Name] {
			t.Errorf("%s is declared, and no operation passes it", p.Name)
		}
	}
}

// Each point is where its window is: what happens there happens before the
// operation, or behind it.
func TestWindows(t *testing.T) {
	r := recorder.Install(t)
	c := make(chan int, 2)
	// at is done at the point while op runs; holds is how many values it finds.
	window := func(point string, op func(), holds int) {
		t.Helper()
		looked := false
		r.Meanwhile[point] = func() {
			looked = true
			if len(c) != holds {
				t.Errorf("at %s the channel holds %d, want %d", point, len(c), holds)
			}
		}
		op()
		if !looked {
			t.Errorf("%s was not passed", point)
		}
	}
	send, receive := channel.OnSend(c, 1), channel.OnReceive(c, nil, nil)
	window("channel/send", func() { channel.Send(c, 1) }, 0)
	window("channel/sent", func() { channel.Send(c, 1) }, 2)
	window("channel/receive", func() { channel.Receive(c) }, 2)
	window("channel/received", func() { channel.ReceiveOK(c) }, 0)
	window("channel/select", func() { channel.Select(send) }, 0)
	window("channel/selected", func() { channel.Select(send, channel.Default) }, 2)
	window("channel/selected", func() { channel.Select(send, channel.Default) }, 2)
	window("channel/selected", func() { channel.Select(receive, receive) }, 1)

	r.Meanwhile["channel/len"] = func() { <-c }
	if n := channel.Len(c); n != 0 {
		t.Errorf("Len: %d, want what it is behind its point", n)
	}
	// Between the decision to close and the close a send still succeeds.
	r.Meanwhile["channel/close"] = func() { c <- 5 }
	r.Meanwhile["channel/closed"] = func() {
		if v, ok := <-c; v != 5 || !ok {
			t.Errorf("at channel/closed: received %d, %t", v, ok)
		}
		if _, ok := <-c; ok {
			t.Error("at channel/closed the channel is open")
		}
	}
	channel.Close(c)
}

// What becomes ready at the point of a select is seen by it.
func TestSelectSeesWhatBecomesReady(t *testing.T) {
	r := recorder.Install(t)
	c, v := make(chan int, 1), 0
	r.Meanwhile["channel/select"] = func() { c <- 6 }
	if i := channel.Select(channel.OnReceive(c, &v, nil), channel.Default); i != 0 || v != 6 {
		t.Errorf("chose %d, received %d; want 0, 6", i, v)
	}
}
