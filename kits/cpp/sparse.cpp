#include <cmath>

#include "lockstep.hpp"

struct Thing {
  double x, y;
};

static double distance(double x, double y) { return std::sqrt(x * x + y * y); }

/** A list of things: each an id, a place and points. */
static std::vector<Thing> things(lockstep::Frame& in) {
  std::vector<Thing> found;
  for (int left = (int)in.next(); left > 0; left--) {
    in.next();  // its id
    const double x = in.next(), y = in.next();
    in.next();  // z
    in.next();  // its points
    found.push_back({x, y});
  }
  return found;
}

static void towards(double x, double y, double speed, bool sword) {
  const double length = distance(x, y) == 0 ? 1 : distance(x, y);
  lockstep::send({x / length * speed, y / length * speed, sword ? 1.0 : 0.0});
}

int main() {
  const lockstep::Json message = lockstep::readBriefing();
  const double wide = message["briefing"]["chunk"]["x"].number, deep = message["briefing"]["chunk"]["y"].number;
  lockstep::sayReady("{\"x\":0,\"y\":0,\"sword\":false}");

  // Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find.
  for (lockstep::Frame in; in.receive();) {
    in.next();  // the tick, twice
    in.next();
    const double x = in.next(), y = in.next();
    for (int i = 0; i < 10; i++) in.next();  // z, velocity, hit points, gold, kills, depth, fallen, swordReady
    for (int left = (int)in.next() * 5; left > 0; left--) in.next();  // other heroes
    const double column = std::floor(x / wide + 0.5), row = std::floor(y / deep + 0.5);
    const double middleX = column * wide, middleY = row * deep;
    bool known = false, east = false;
    for (int left = (int)in.next(); left > 0; left--) {
      const double roomX = in.next(), roomY = in.next();
      for (int i = 0; i < 3; i++) in.next();  // z, halfX, halfY
      const bool opensEast = in.next() != 0;
      for (int i = 0; i < 5; i++) in.next();  // north, west, south, up, down
      if (roomX != column || roomY != row) continue;
      known = true;
      east = opensEast;
    }
    const std::vector<Thing> monsters = things(in), golds = things(in);

    const Thing* foe = nullptr;
    for (const Thing& one : monsters)
      if (!foe || distance(one.x - x, one.y - y) < distance(foe->x - x, foe->y - y)) foe = &one;
    if (foe && distance(foe->x - x, foe->y - y) < 2.7) {
      towards(foe->x - x, foe->y - y, 0.2, true);
      continue;
    }
    const Thing* gold = nullptr;
    for (const Thing& one : golds) {
      if (std::fabs(one.x - middleX) >= wide / 2 || std::fabs(one.y - middleY) >= deep / 2) continue;
      if (!gold || distance(one.x - x, one.y - y) < distance(gold->x - x, gold->y - y)) gold = &one;
    }
    if (gold) {
      towards(gold->x - x, gold->y - y, 1, false);
    } else if (!known) {
      towards(0, 0, 0, false);
    } else if (std::fabs(east ? y - middleY : x - middleX) >= 0.5) {
      towards(middleX - x, middleY - y, 1, false);
    } else if (east) {
      towards(middleX + wide - x, middleY - y, 1, false);
    } else {
      towards(middleX - x, middleY + deep - y, 1, false);
    }
  }
}
