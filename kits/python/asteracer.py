from math import sqrt

from lockstep import play


class Bot:
    """Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do."""

    def __init__(self, race_map, seat):
        self.goals = race_map["goals"]

    def act(self, race):
        left = [goal for goal, reached in zip(self.goals, race["goals"]) if reached == "0"]
        goal = min(left, key=lambda g: (g["x"] - race["x"]) ** 2 + (g["y"] - race["y"]) ** 2, default=race)
        x = goal["x"] - race["x"] - 12 * race["vx"]
        y = goal["y"] - race["y"] - 12 * race["vy"]
        length = sqrt(x * x + y * y) or 1
        thrust = min(length, 126)  # at most 127, and rounding must not make it longer
        return {"vx": int(x / length * thrust), "vy": int(y / length * thrust)}


play(Bot)
