#include <algorithm>
#include <cmath>

#include "lockstep.hpp"

int main() {
  const lockstep::Json message = lockstep::readBriefing();
  const std::vector<lockstep::Json>& goals = message["briefing"]["goals"].items;
  lockstep::sayReady("{\"vx\":0,\"vy\":0}");

  for (lockstep::Frame in; in.receive();) {
    in.next();  // the tick, twice
    in.next();
    const double x = in.next(), y = in.next(), vx = in.next(), vy = in.next();
    const std::string reached = in.text();

    // Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do.
    double dx = 0, dy = 0, nearest = 1e300;
    for (size_t i = 0; i < goals.size(); i++) {
      const double gx = goals[i]["x"].number - x, gy = goals[i]["y"].number - y;
      if (reached[i] != '0' || gx * gx + gy * gy >= nearest) continue;
      nearest = gx * gx + gy * gy;
      dx = gx;
      dy = gy;
    }
    dx -= 12 * vx;
    dy -= 12 * vy;
    const double length = std::max(1.0, std::sqrt(dx * dx + dy * dy));
    const double thrust = std::min(length, 126.0);  // at most 127, and rounding must not make it longer
    lockstep::send({std::trunc(dx / length * thrust), std::trunc(dy / length * thrust)});
  }
}
