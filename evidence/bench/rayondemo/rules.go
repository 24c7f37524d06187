package rayondemo

import "math"

// The numbers of rayon-demo/src/nbody/nbody.rs. Lengths are squared where bodies are
// compared with each other.
const (
	maxDistance  = 3400.0
	pullStrength = 0.042
	zone         = 3 * 400.0 * 400.0 // beyond it bodies don't see each other
	repel        = 100.0
	align        = 300.0
	attract      = 100.0
	alignPower   = 100.9
)

// rules determines how bodies move at one time.
type rules struct {
	time       int
	centre     Vector // that all are drawn to
	speedLimit float64
	attraction float64
}

func rulesAt(time int) rules {
	t := float64(time)
	r := rules{
		time:       time,
		centre:     Vector{math.Cos(t/22) * -4200, math.Sin(t/14) * 9200, math.Sin(t/27) * 6000},
		speedLimit: 2000,
		attraction: 100.9,
	}
	if time >= 500 {
		r.speedLimit, r.attraction = 0.2, 20.9
	}
	return r
}

// A push is a change to the two velocities of a body.
type push struct{ a, b Vector }

func (p push) plus(o push) push { return push{p.a.plus(o.a), p.b.plus(o.b)} }

// influences adds the influence of others on self. Hardly any of them are near, so it checks four
// at a time, and one after the other only if one of the four is near: Go's compiler unrolls no
// loops, and this one waits for memory.
func (r *rules) influences(sum push, self *Body, others []Body) push {
	from := self.Position
	for ; len(others) >= 4; others = others[4:] {
		if others[0].from(from) < zone || others[1].from(from) < zone || others[2].from(from) < zone || others[3].from(from) < zone {
			r.influencesOf(&sum, self, others[:4])
		}
	}
	r.influencesOf(&sum, self, others)
	return sum
}

// influencesOf is like influences, one by one.
func (r *rules) influencesOf(sum *push, self *Body, others []Body) {
	for i := range others {
		other := &others[i]
		to := other.Position.minus(self.Position)
		if distance := to.square(); distance < zone && distance != 0 { // a body is not its own neighbour
			r.influence(sum, self, other, to, distance)
		}
	}
}

// from returns the squared distance of the body from there.
func (b *Body) from(there Vector) float64 { return b.Position.minus(there).square() }

// influence adds the influence of other, at to relative to self, on self.
func (r *rules) influence(sum *push, self, other *Body, to Vector, distance float64) {
	percent := distance / zone
	var a, b Vector
	if distance < repel {
		away := to.scaledTo((repel/percent - 1) * 0.025)
		a, b = a.plus(away), b.plus(away)
	} else if distance < align {
		q := (1 - wave((percent-repel)/(align-repel))) * alignPower
		a, b = a.plus(other.Velocity2.scaledTo(q)), b.plus(self.Velocity.scaledTo(q))
	}
	if distance > attract {
		nearer := to.scaledTo((1 - (wave((percent-attract)/(1-attract)) + 0.5)) * r.attraction)
		a, b = a.plus(nearer), b.plus(nearer.times(-1))
	}
	sum.a, sum.b = sum.a.plus(a), sum.b.plus(b)
}

// wave goes from a half to minus a half and back while x goes from 0 to 1.
func wave(x float64) float64 { return math.Cos(x*math.Pi*2) * 0.5 }

// move returns the body after one tick, in which all is the influence of all others on it.
func (r *rules) move(self *Body, all push) Body {
	a, b := r.towardsCentre(self).plus(all.a), all.b
	if r.time > 500 {
		a, b = r.limited(a, 0.015), r.limited(b, 0.015)
	}
	v, v2 := self.Velocity.plus(a), self.Velocity2.plus(b)
	if r.time < 500 {
		v, v2 = r.limited(v, 0.15), r.limited(v2, 0.15)
	}
	return Body{self.Position.plus(v.minus(v2)), v, v2}
}

func (r *rules) towardsCentre(self *Body) Vector {
	to := r.centre.minus(self.Position)
	distance := to.length()
	switch {
	case distance <= maxDistance:
		return Vector{}
	case r.time < 200:
		return to.scaledTo(0.2)
	default:
		return to.scaledTo((distance - maxDistance) * pullStrength)
	}
}

// limited returns v, damped if it is too fast.
func (r *rules) limited(v Vector, damping float64) Vector {
	if v.square() > r.speedLimit {
		return v.times(damping)
	}
	return v
}
