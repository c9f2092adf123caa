from lockstep import play


class Bot:
    """Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out."""

    def __init__(self, briefing, seat):
        self.flippers = briefing["config"]["table"]["flippers"]
        self.pulled = 0

    def act(self, game):
        waiting = any(ball["onPlunger"] for ball in game["balls"])
        self.pulled = self.pulled + 1 if waiting else 0
        action = {"left": False, "right": False, "plunger": 1 if waiting and self.pulled % 150 < 125 else 0}
        for flipper in self.flippers:
            if any(self.comes_down_to(flipper, ball) for ball in game["balls"]):
                action[flipper["button"]] = True
        return action

    def comes_down_to(self, flipper, ball):
        dx = ball["x"] - flipper["pivot"][0]
        dy = ball["y"] - flipper["pivot"][1]
        length = flipper["length"]
        return ball["layer"] == 0 and ball["vy"] < 0 and -length < dx < length and -length < dy < 1


play(Bot)
