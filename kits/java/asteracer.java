import java.io.IOException;
import java.util.*;

/** Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do. */
final class Bot {
  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws IOException {
    Map<String, Object> map = (Map<String, Object>) Lockstep.readBriefing().get("briefing");
    List<Map<String, Double>> goals = (List<Map<String, Double>>) map.get("goals");
    Lockstep.sayReady("{\"vx\":0,\"vy\":0}");

    for (Frame in = Lockstep.receive(); in != null; in = Lockstep.receive()) {
      in.skip(2); // the tick, twice
      double x = in.next(), y = in.next(), vx = in.next(), vy = in.next();
      String reached = in.text();
      double dx = 0, dy = 0, nearest = Double.MAX_VALUE;
      for (int i = 0; i < goals.size(); i++) {
        double gx = goals.get(i).get("x") - x, gy = goals.get(i).get("y") - y;
        if (reached.charAt(i) != '0' || gx * gx + gy * gy >= nearest) continue;
        nearest = gx * gx + gy * gy;
        dx = gx;
        dy = gy;
      }
      dx -= 12 * vx;
      dy -= 12 * vy;
      double length = Math.max(1, Math.sqrt(dx * dx + dy * dy));
      double thrust = Math.min(length, 126); // at most 127, and rounding must not make it longer
      Lockstep.send((long) (dx / length * thrust), (long) (dy / length * thrust));
    }
  }
}
