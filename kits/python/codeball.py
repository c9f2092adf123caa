from math import sqrt

from lockstep import play


class Bot:
    """Everybody runs to where the ball is, from behind it; whoever is near jumps."""

    def __init__(self, rules, seat):
        self.rules = rules

    def act(self, game):
        return {str(robot["id"]): self.order(robot, game["ball"]) for robot in game["robots"] if robot["is_teammate"]}

    def order(self, robot, ball):
        dx = ball["x"] - robot["x"]
        dz = ball["z"] - 2 - robot["z"]  # our own goal is always at z < 0
        distance = sqrt(dx * dx + dz * dz) or 1
        speed = self.rules["ROBOT_MAX_GROUND_SPEED"]
        near = distance < 4 and ball["z"] > robot["z"]
        return {
            "target_velocity_x": dx / distance * speed,
            "target_velocity_y": 0,
            "target_velocity_z": dz / distance * speed,
            "jump_speed": self.rules["ROBOT_MAX_JUMP_SPEED"] if near else 0,
            "use_nitro": False,
        }


play(Bot)
