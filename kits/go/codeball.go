package main

import (
	"fmt"
	"math"
	"strings"
)

// Rules has more in it: every constant of the rule book.
type Rules struct {
	TeamSize  int     `json:"team_size"`
	MaxSpeed  float64 `json:"ROBOT_MAX_GROUND_SPEED"`
	JumpSpeed float64 `json:"ROBOT_MAX_JUMP_SPEED"`
}

type Body struct {
	x, y, z, velocityX, velocityY, velocityZ, radius float64
}

type Robot struct {
	id         int
	isTeammate bool
	body       Body
}

func readBody(game *Frame) (body Body) {
	body.x = game.next()
	body.y = game.next()
	body.z = game.next()
	body.velocityX = game.next()
	body.velocityY = game.next()
	body.velocityZ = game.next()
	body.radius = game.next()
	return body
}

func readRobot(game *Frame) (robot Robot) {
	robot.id = int(game.next())
	game.skip(1) // whose it is, by the player's id
	robot.isTeammate = game.next() != 0
	robot.body = readBody(game)
	game.skip(5) // nitro, does it touch something, and the normal there (NaN: none)
	return robot
}

func main() {
	var rules Rules
	message := readBriefing(&rules)
	team := rules.TeamSize
	first := message.Seat*team + 1 // ids of our robots: first, first + 1, …

	var orders []string
	for id := first; id < first+team; id++ {
		orders = append(orders, fmt.Sprintf(`"%d":{"target_velocity_x":0,"target_velocity_y":0,"target_velocity_z":0,"jump_speed":0,"use_nitro":false}`, id))
	}
	sayReady("{" + strings.Join(orders, ",") + "}")

	for game := receive(); game != nil; game = receive() {
		game.skip(1)                 // the tick again
		game.skip(4 * game.length()) // players: id, me, strategy_crashed, score
		robots := make([]Robot, game.length())
		for i := range robots {
			robots[i] = readRobot(game)
		}
		game.skip(6 * game.length()) // packs: id, x, y, z, radius, respawn_ticks (NaN: it is there)
		ball := readBody(game)

		// Everybody runs to where the ball is, from behind it; whoever is near jumps.
		answer := make([]float64, team*5)
		for _, robot := range robots {
			if !robot.isTeammate {
				continue
			}
			dx := ball.x - robot.body.x
			dz := ball.z - 2 - robot.body.z                        // our own goal is always at z < 0
			distance := math.Sqrt(float64(dx*dx) + float64(dz*dz)) // float64(): no machine may fuse the two
			if distance == 0 {
				distance = 1
			}
			order := answer[(robot.id-first)*5:]
			order[0] = dx / distance * rules.MaxSpeed
			order[2] = dz / distance * rules.MaxSpeed
			if distance < 4 && ball.z > robot.body.z {
				order[3] = rules.JumpSpeed
			}
		}
		send(answer)
	}
}
