package rayondemo

import (
	"math"
	"testing"

	"github.com/rouse-go/rouse/pool"
)

// near reports whether two vectors are the same but for the order of additions.
func near(a, b Vector, tolerance float64) bool {
	return a.minus(b).length() <= tolerance*math.Max(1, b.length())
}

func nearBody(a, b Body, tolerance float64) bool {
	return near(a.Position, b.Position, tolerance) && near(a.Velocity, b.Velocity, tolerance) && near(a.Velocity2, b.Velocity2, tolerance)
}

// Catches: a body that is moved twice or not at all, sees another one not at all or
// twice, or sees one of this tick as it is in the next.
func TestNBodyIsTheSequentialOne(t *testing.T) {
	inPools(t, func(t *testing.T, p *pool.Pool) {
		n := NewNBody(200, Seed)
		for _, time := range []int{0, 1, 2, 3, 199, 200, 499, 500, 501} {
			n.Time = time
			copy(n.bodies[1-time&1], n.bodies[time&1])
			reference := &NBody{Time: time}
			for i := range n.bodies {
				reference.bodies[i] = append([]Body(nil), n.bodies[i]...)
			}
			reference.TickSequentially()
			if err := n.Tick(p); err != nil {
				t.Fatal(err)
			}
			if n.Time != time+1 || reference.Time != time+1 {
				t.Fatalf("times %d and %d after a tick at %d", n.Time, reference.Time, time)
			}
			for i, b := range n.Now() {
				if !nearBody(b, reference.Now()[i], 1e-9) {
					t.Fatalf("body %d at %d: %v, sequentially %v", i, n.Time, b, reference.Now()[i])
				}
			}
		}
	})
}

// Catches: an iteration that is not ten ticks, or in which nothing moves; a demo that
// is not of a thousand bodies.
func TestNBodyRun(t *testing.T) {
	n := NewNBody(50, Seed)
	inPools(t, func(t *testing.T, p *pool.Pool) {
		time, before := n.Time, n.Now()[49]
		if err := n.Run(p); err != nil {
			t.Fatal(err)
		}
		if n.Time != time+10 {
			t.Errorf("%d ticks, want 10", n.Time-time)
		}
		if n.Now()[49] == before {
			t.Errorf("the last body is where it was: %v", before)
		}
	})
	if n := len(NewNBody(Bodies, Seed).Now()); n != 1000 {
		t.Errorf("%d bodies, want 1000", n)
	}
}

// Catches: a formula that is not rayon-demo's. What is wanted was computed apart,
// from its text, for one body and another at the given place.
func TestNBodyFormulas(t *testing.T) {
	for _, c := range []struct {
		name  string
		time  int
		other Vector
		want  Body
	}{
		{"repel", 0, Vector{-4197, 4, 0}, Body{Vector{-4200.3, 0.45, 1.2}, Vector{4320.14775, 5760.297, 1.8}, Vector{4320.44775, 5759.847, 0.6}}},
		{"align", 0, Vector{-4188, 5, 0}, Body{Vector{-4186.99675339, 11.8769890821, -13.5508352104}, Vector{15.2990539407, 15.4408558084, 9.36749999985}, Vector{2.29580732654, 3.5638667263, 22.9183352102}}},
		{"attract", 0, Vector{-4000, 0, 0}, Body{Vector{-4201.82929317, 3, 8}, Vector{1.08535341521, 2, 12}, Vector{2.91464658479, -1, 4}}},
		{"too far", 0, Vector{0, 9000, 0}, Body{Vector{-4202, 3, 8}, Vector{1, 2, 12}, Vector{3, -1, 4}}},
		{"far from the centre", 300, Vector{-4000, 10, 20}, Body{Vector{-4194.82640099, 19.1179841278, -23.8259868502}, Vector{8.08896672898, 18.1137525135, -19.8344500788}, Vector{2.9153677141, -1.00423161429, 3.99153677141}}},
		{"neither early nor late", 500, Vector{-4197, 4, 0}, Body{Vector{-3987.09345199, -244.532395809, -49.3125293037}, Vector{29015.891548, 38154.4476042, -45.3125293037}, Vector{28802.985, 38398.98, 4}}},
		{"attract, late", 600, Vector{-4000, 0, 0}, Body{Vector{-4199.21484604, -0.554049346303, 7.41170093684}, Vector{3.76747421716, -1.5540493463, 11.4117009368}, Vector{2.98232025393, -1, 4}}},
		{"repel, late", 600, Vector{-4197, 4, 0}, Body{Vector{-4199.23279098, -0.554049346303, 7.41170093684}, Vector{435.766984021, 574.445650654, 11.4117009368}, Vector{434.999775, 574.9997, 4}}},
	} {
		bodies := []Body{
			{Vector{-4200, 0, 0}, Vector{1, 2, 12}, Vector{3, -1, 4}},
			{c.other, Vector{0, 1, 13}, Vector{2, 2, 1}},
		}
		n := &NBody{Time: c.time}
		n.bodies[c.time&1], n.bodies[1-c.time&1] = bodies, make([]Body, 2)
		n.TickSequentially()
		if got := n.Now()[0]; !nearBody(got, c.want, 1e-9) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Catches: bodies that are left out, or seen twice, where they are looked at several at a time, and
// sums in another order.
func TestInfluencesAreThoseOfEachInOrder(t *testing.T) {
	r, bodies := rulesAt(1), NewNBody(40, Seed).Now()
	self := bodies[0]
	for n := range bodies {
		for _, every := range []int{1, 2, 3, 4, 5, 7, 50} {
			others := append([]Body(nil), bodies[:n]...)
			for i := range others {
				if i%every == every/2 { // near, and not where self is
					others[i].Position = self.Position.plus(Vector{float64(i + 20), 0, float64(every)})
				}
			}
			var want push
			for i := range others {
				r.influencesOf(&want, &self, others[i:i+1])
			}
			if got := r.influences(push{}, &self, others); got != want {
				t.Fatalf("%d bodies, one of %d near: %v, want %v", n, every, got, want)
			}
			if near := n > every/2; near != (want != push{}) {
				t.Fatalf("%d bodies, one of %d near: %v", n, every, want)
			}
		}
	}
}
