import java.io.IOException;
import java.util.*;

/** Everybody runs to where the ball is, from behind it; whoever is near jumps. */
final class Bot {
  static final class Body {
    final double x, y, z, velocityX, velocityY, velocityZ, radius;

    Body(Frame in) {
      x = in.next();
      y = in.next();
      z = in.next();
      velocityX = in.next();
      velocityY = in.next();
      velocityZ = in.next();
      radius = in.next();
    }
  }

  static final class Robot {
    final int id, playerId;
    final boolean isTeammate, touch;
    final Body body;
    final double nitroAmount, normalX, normalY, normalZ;

    Robot(Frame in) {
      id = (int) in.next();
      playerId = (int) in.next();
      isTeammate = in.next() != 0;
      body = new Body(in);
      nitroAmount = in.next();
      touch = in.next() != 0;
      normalX = in.next();
      normalY = in.next();
      normalZ = in.next();
    }
  }

  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws IOException {
    Map<String, Object> message = Lockstep.readBriefing();
    Map<String, Object> rules = (Map<String, Object>) message.get("briefing");
    int team = ((Double) rules.get("team_size")).intValue();
    int first = ((Double) message.get("seat")).intValue() * team + 1; // ids of our robots: first, first + 1, …
    double speed = (Double) rules.get("ROBOT_MAX_GROUND_SPEED"), jump = (Double) rules.get("ROBOT_MAX_JUMP_SPEED");

    StringJoiner example = new StringJoiner(",", "{", "}");
    for (int i = 0; i < team; i++)
      example.add("\"" + (first + i) + "\":{\"target_velocity_x\":0,\"target_velocity_y\":0,\"target_velocity_z\":0,\"jump_speed\":0,\"use_nitro\":false}");
    Lockstep.sayReady(example.toString());

    for (Frame in = Lockstep.receive(); in != null; in = Lockstep.receive()) {
      in.skip(2); // the tick, twice
      in.skip(4 * (int) in.next()); // players: id, me, strategy_crashed, score
      Robot[] robots = new Robot[(int) in.next()];
      for (int i = 0; i < robots.length; i++) robots[i] = new Robot(in);
      in.skip(6 * (int) in.next()); // packs: id, x, y, z, radius, respawn_ticks (NaN: it is there)
      Body ball = new Body(in);

      double[] answer = new double[team * 5];
      for (Robot robot : robots) {
        if (!robot.isTeammate) continue;
        double dx = ball.x - robot.body.x, dz = ball.z - 2 - robot.body.z; // our own goal is always at z < 0
        double distance = Math.sqrt(dx * dx + dz * dz);
        if (distance == 0) distance = 1;
        int order = (robot.id - first) * 5;
        answer[order] = dx / distance * speed;
        answer[order + 2] = dz / distance * speed;
        answer[order + 3] = distance < 4 && ball.z > robot.body.z ? jump : 0;
      }
      Lockstep.send(answer);
    }
  }
}
