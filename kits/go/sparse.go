package main

import "math"

// Briefing has more in it.
type Briefing struct {
	Chunk struct{ X, Y float64 } `json:"chunk"`
}

type Thing struct {
	x, y float64
}

func distance(x, y float64) float64 {
	return math.Sqrt(float64(x*x) + float64(y*y)) // float64(): no machine may fuse the two
}

// things reads a list of them: each an id, a place and points.
func things(hero *Frame) []Thing {
	found := make([]Thing, hero.length())
	for i := range found {
		hero.skip(1) // its id
		found[i].x = hero.next()
		found[i].y = hero.next()
		hero.skip(2) // z, its points
	}
	return found
}

// nearest gives the first of those that are, and whether there is any.
func nearest(things []Thing, x, y float64) (Thing, bool) {
	best, found := Thing{}, false
	for _, one := range things {
		if !found || distance(one.x-x, one.y-y) < distance(best.x-x, best.y-y) {
			best, found = one, true
		}
	}
	return best, found
}

func towards(x, y, speed, sword float64) {
	length := distance(x, y)
	if length == 0 {
		length = 1
	}
	send([]float64{x / length * speed, y / length * speed, sword})
}

// Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find.
func main() {
	var briefing Briefing
	readBriefing(&briefing)
	wide, deep := briefing.Chunk.X, briefing.Chunk.Y
	sayReady(`{"x":0,"y":0,"sword":false}`)

	for hero := receive(); hero != nil; hero = receive() {
		hero.skip(1) // the tick again
		x, y := hero.next(), hero.next()
		hero.skip(10)                // z, velocity, hit points, gold, kills, depth, fallen, swordReady
		hero.skip(5 * hero.length()) // other heroes
		column, row := math.Floor(x/wide+0.5), math.Floor(y/deep+0.5)
		middleX, middleY := column*wide, row*deep
		known, east := false, false
		for left := hero.length(); left > 0; left-- {
			roomX, roomY := hero.next(), hero.next()
			hero.skip(3) // z, halfX, halfY
			opensEast := hero.next() != 0
			hero.skip(5) // north, west, south, up, down
			if roomX == column && roomY == row {
				known, east = true, opensEast
			}
		}
		monsters, golds := things(hero), things(hero)

		foe, hasFoe := nearest(monsters, x, y)
		if hasFoe && distance(foe.x-x, foe.y-y) < 2.7 {
			towards(foe.x-x, foe.y-y, 0.2, 1)
			continue
		}
		here := []Thing{}
		for _, one := range golds {
			if math.Abs(one.x-middleX) < wide/2 && math.Abs(one.y-middleY) < deep/2 {
				here = append(here, one)
			}
		}
		off := x - middleX
		if east {
			off = y - middleY
		}
		gold, hasGold := nearest(here, x, y)
		if hasGold {
			towards(gold.x-x, gold.y-y, 1, 0)
		} else if !known {
			towards(0, 0, 0, 0)
		} else if math.Abs(off) >= 0.5 {
			towards(middleX-x, middleY-y, 1, 0)
		} else if east {
			towards(middleX+wide-x, middleY-y, 1, 0)
		} else {
			towards(middleX-x, middleY+deep-y, 1, 0)
		}
	}
}
