package main

// Briefing has more in it: the whole table.
type Briefing struct {
	Config struct {
		Table struct {
			Flippers []struct {
				Button string     `json:"button"`
				Pivot  [2]float64 `json:"pivot"`
				Length float64    `json:"length"`
			} `json:"flippers"`
		} `json:"table"`
	} `json:"config"`
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out.
func main() {
	var briefing Briefing
	readBriefing(&briefing)
	sayReady(`{"left":false,"right":false,"plunger":0}`)

	pulled := 0
	for machine := receive(); machine != nil; machine = receive() {
		machine.skip(3) // the tick again, the score, the balls that are left
		waiting, left, right := false, false, false
		for balls := machine.length(); balls > 0; balls-- {
			machine.skip(1) // its id
			x, y := machine.next(), machine.next()
			machine.skip(1) // vx
			vy := machine.next()
			machine.skip(1) // its spin
			layer := machine.next()
			machine.skip(1) // is it held?
			if machine.next() != 0 {
				waiting = true
			}
			for _, flipper := range briefing.Config.Table.Flippers {
				dx, dy, length := x-flipper.Pivot[0], y-flipper.Pivot[1], flipper.Length
				if layer != 0 || vy >= 0 || dx <= -length || dx >= length || dy <= -length || dy >= 1 {
					continue
				}
				if flipper.Button == "left" {
					left = true
				} else {
					right = true
				}
			}
		}
		if waiting {
			pulled++
		} else {
			pulled = 0
		}
		send([]float64{number(left), number(right), number(waiting && pulled%150 < 125)})
	}
}
