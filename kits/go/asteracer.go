package main

import "math"

// Map has more in it: the asteroids, the box, the racer's start.
type Map struct {
	Goals []struct{ X, Y float64 } `json:"goals"`
}

// Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do.
func main() {
	var course Map
	readBriefing(&course)
	sayReady(`{"vx":0,"vy":0}`)

	for race := receive(); race != nil; race = receive() {
		race.skip(1) // the tick again
		x, y, vx, vy := race.next(), race.next(), race.next(), race.next()
		reached := race.text()

		dx, dy, nearest := 0.0, 0.0, math.MaxFloat64
		for i, goal := range course.Goals {
			gx, gy := goal.X-x, goal.Y-y
			away := float64(gx*gx) + float64(gy*gy) // float64(): no machine may fuse the two
			if reached[i] == '0' && away < nearest {
				dx, dy, nearest = gx, gy, away
			}
		}
		dx -= float64(12 * vx)
		dy -= float64(12 * vy)
		length := math.Max(1, math.Sqrt(float64(dx*dx)+float64(dy*dy)))
		thrust := math.Min(length, 126) // at most 127, and rounding must not make it longer
		send([]float64{math.Trunc(dx / length * thrust), math.Trunc(dy / length * thrust)})
	}
}
