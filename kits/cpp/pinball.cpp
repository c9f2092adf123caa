#include "lockstep.hpp"

struct Flipper {
  bool isLeft;
  double x, y, length;
};

int main() {
  const lockstep::Json message = lockstep::readBriefing();
  std::vector<Flipper> flippers;
  for (const lockstep::Json& one : message["briefing"]["config"]["table"]["flippers"].items) {
    const std::vector<lockstep::Json>& pivot = one["pivot"].items;
    flippers.push_back({one["button"].text == "left", pivot[0].number, pivot[1].number, one["length"].number});
  }
  lockstep::sayReady("{\"left\":false,\"right\":false,\"plunger\":0}");

  // Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out.
  int pulled = 0;
  for (lockstep::Frame in; in.receive();) {
    in.next();  // the tick, twice; then the score and the balls that are left
    in.next();
    in.next();
    in.next();
    bool waiting = false, left = false, right = false;
    for (int balls = (int)in.next(); balls > 0; balls--) {
      in.next();  // its id
      const double x = in.next(), y = in.next();
      in.next();  // vx
      const double vy = in.next();
      in.next();  // its spin
      const double layer = in.next();
      in.next();  // is it held?
      if (in.next() != 0) waiting = true;
      for (const Flipper& flipper : flippers) {
        const double dx = x - flipper.x, dy = y - flipper.y, length = flipper.length;
        if (layer != 0 || vy >= 0 || dx <= -length || dx >= length || dy <= -length || dy >= 1) continue;
        (flipper.isLeft ? left : right) = true;
      }
    }
    pulled = waiting ? pulled + 1 : 0;
    lockstep::send({left ? 1.0 : 0.0, right ? 1.0 : 0.0, waiting && pulled % 150 < 125 ? 1.0 : 0.0});
  }
}
