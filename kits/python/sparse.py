from math import floor, sqrt

from lockstep import play


def distance(a, b):
    return sqrt((a["x"] - b["x"]) * (a["x"] - b["x"]) + (a["y"] - b["y"]) * (a["y"] - b["y"]))


def towards(hero, aim, speed, sword):
    length = distance(aim, hero) or 1
    return {"x": (aim["x"] - hero["x"]) / length * speed, "y": (aim["y"] - hero["y"]) / length * speed, "sword": sword}


class Bot:
    """Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find."""

    def __init__(self, briefing, seat):
        self.chunk = briefing["chunk"]

    def act(self, hero):
        foe = min(hero["monsters"], key=lambda one: distance(one, hero), default=None)
        if foe is not None and distance(foe, hero) < 2.7:
            return towards(hero, foe, 0.2, True)
        wide, deep = self.chunk["x"], self.chunk["y"]
        column, row = floor(hero["x"] / wide + 0.5), floor(hero["y"] / deep + 0.5)
        middle = {"x": column * wide, "y": row * deep}
        here = [one for one in hero["golds"] if abs(one["x"] - middle["x"]) < wide / 2 and abs(one["y"] - middle["y"]) < deep / 2]
        if here:
            return towards(hero, min(here, key=lambda one: distance(one, hero)), 1, False)
        room = next((one for one in hero["rooms"] if one["x"] == column and one["y"] == row), None)
        if room is None:
            return {"x": 0, "y": 0, "sword": False}
        aside = hero["y"] - middle["y"] if room["east"] else hero["x"] - middle["x"]
        if abs(aside) >= 0.5:
            return towards(hero, middle, 1, False)
        if room["east"]:
            return towards(hero, {"x": middle["x"] + wide, "y": middle["y"]}, 1, False)
        return towards(hero, {"x": middle["x"], "y": middle["y"] + deep}, 1, False)


play(Bot)
