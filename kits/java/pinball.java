import java.io.IOException;
import java.util.*;

/** Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out. */
final class Bot {
  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws IOException {
    Map<String, Object> briefing = (Map<String, Object>) Lockstep.readBriefing().get("briefing");
    Map<String, Object> table = (Map<String, Object>) ((Map<String, Object>) briefing.get("config")).get("table");
    List<Map<String, Object>> flippers = (List<Map<String, Object>>) table.get("flippers");
    Lockstep.sayReady("{\"left\":false,\"right\":false,\"plunger\":0}");

    int pulled = 0;
    for (Frame in = Lockstep.receive(); in != null; in = Lockstep.receive()) {
      in.skip(4); // the tick, twice; the score and the balls that are left
      boolean waiting = false, left = false, right = false;
      for (int balls = (int) in.next(); balls > 0; balls--) {
        in.skip(1); // its id
        double x = in.next(), y = in.next();
        in.skip(1); // vx
        double vy = in.next();
        in.skip(1); // its spin
        double layer = in.next();
        in.skip(1); // is it held?
        if (in.next() != 0) waiting = true;
        for (Map<String, Object> flipper : flippers) {
          List<Double> pivot = (List<Double>) flipper.get("pivot");
          double dx = x - pivot.get(0), dy = y - pivot.get(1), length = (Double) flipper.get("length");
          if (layer != 0 || vy >= 0 || dx <= -length || dx >= length || dy <= -length || dy >= 1) continue;
          if (flipper.get("button").equals("left")) left = true;
          else right = true;
        }
      }
      pulled = waiting ? pulled + 1 : 0;
      Lockstep.send(left ? 1 : 0, right ? 1 : 0, waiting && pulled % 150 < 125 ? 1 : 0);
    }
  }
}
