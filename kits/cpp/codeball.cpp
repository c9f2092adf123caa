#include <cmath>

#include "lockstep.hpp"

struct Body {
  double x, y, z, velocity_x, velocity_y, velocity_z, radius;
};
struct Robot : Body {
  int id, player_id;
  bool is_teammate, touch;
  double nitro_amount, normal_x, normal_y, normal_z;
};

static Body readBody(lockstep::Frame& in) {
  Body body;
  for (double* field : {&body.x, &body.y, &body.z, &body.velocity_x, &body.velocity_y, &body.velocity_z, &body.radius}) *field = in.next();
  return body;
}

static Robot readRobot(lockstep::Frame& in) {
  Robot robot;
  robot.id = (int)in.next();
  robot.player_id = (int)in.next();
  robot.is_teammate = in.next() != 0;
  static_cast<Body&>(robot) = readBody(in);
  robot.nitro_amount = in.next();
  robot.touch = in.next() != 0;
  robot.normal_x = in.next();
  robot.normal_y = in.next();
  robot.normal_z = in.next();
  return robot;
}

int main() {
  const lockstep::Json message = lockstep::readBriefing();
  const lockstep::Json& rules = message["briefing"];
  const int team = (int)rules["team_size"].number;
  const int first = (int)message["seat"].number * team + 1;  // ids of our robots: first, first + 1, …
  const double speed = rules["ROBOT_MAX_GROUND_SPEED"].number, jump = rules["ROBOT_MAX_JUMP_SPEED"].number;

  std::string example;
  for (int i = 0; i < team; i++)
    example += (i ? ",\"" : "{\"") + std::to_string(first + i) +
               "\":{\"target_velocity_x\":0,\"target_velocity_y\":0,\"target_velocity_z\":0,\"jump_speed\":0,\"use_nitro\":false}";
  lockstep::sayReady(example + "}");

  for (lockstep::Frame in; in.receive();) {
    in.next();  // the tick, twice
    in.next();
    for (int players = (int)in.next(); players > 0; players--)
      for (int i = 0; i < 4; i++) in.next();  // id, me, strategy_crashed, score
    std::vector<Robot> robots((size_t)in.next());
    for (Robot& robot : robots) robot = readRobot(in);
    for (int packs = (int)in.next(); packs > 0; packs--)
      for (int i = 0; i < 6; i++) in.next();  // id, x, y, z, radius, respawn_ticks (NaN: it is there)
    const Body ball = readBody(in);

    // Everybody runs to where the ball is, from behind it; whoever is near jumps.
    std::vector<double> answer((size_t)team * 5, 0.0);
    for (const Robot& robot : robots) {
      if (!robot.is_teammate) continue;
      const double dx = ball.x - robot.x, dz = ball.z - 2 - robot.z;  // our own goal is always at z < 0
      double distance = std::sqrt(dx * dx + dz * dz);
      if (distance == 0) distance = 1;
      double* order = &answer[(size_t)(robot.id - first) * 5];
      order[0] = dx / distance * speed;
      order[2] = dz / distance * speed;
      order[3] = distance < 4 && ball.z > robot.z ? jump : 0;
    }
    lockstep::send(answer);
  }
}
