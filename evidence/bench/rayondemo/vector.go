package rayondemo

import "math"

// A Vector is a point, or a velocity.
type Vector struct{ X, Y, Z float64 }

func (v Vector) plus(o Vector) Vector      { return Vector{v.X + o.X, v.Y + o.Y, v.Z + o.Z} }
func (v Vector) minus(o Vector) Vector     { return Vector{v.X - o.X, v.Y - o.Y, v.Z - o.Z} }
func (v Vector) times(f float64) Vector    { return Vector{v.X * f, v.Y * f, v.Z * f} }
func (v Vector) over(f float64) Vector     { return Vector{v.X / f, v.Y / f, v.Z / f} }
func (v Vector) square() float64           { return v.X*v.X + v.Y*v.Y + v.Z*v.Z }
func (v Vector) length() float64           { return math.Sqrt(v.square()) }
func (v Vector) scaledTo(f float64) Vector { return v.over(v.length()).times(f) }
