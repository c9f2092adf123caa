import java.io.IOException;
import java.util.*;

/** Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find. */
final class Bot {
  private static double distance(double x, double y) {
    return Math.sqrt(x * x + y * y);
  }

  /** A list of things, each an id, a place and points: their places. */
  private static List<double[]> things(Frame in) {
    List<double[]> found = new ArrayList<>();
    for (int left = (int) in.next(); left > 0; left--) {
      in.skip(1); // its id
      found.add(new double[] {in.next(), in.next()});
      in.skip(2); // z, its points
    }
    return found;
  }

  private static void towards(double x, double y, double speed, boolean sword) throws IOException {
    double length = distance(x, y) == 0 ? 1 : distance(x, y);
    Lockstep.send(x / length * speed, y / length * speed, sword ? 1 : 0);
  }

  @SuppressWarnings("unchecked")
  public static void main(String[] args) throws IOException {
    Map<String, Object> briefing = (Map<String, Object>) Lockstep.readBriefing().get("briefing");
    Map<String, Double> chunk = (Map<String, Double>) briefing.get("chunk");
    double wide = chunk.get("x"), deep = chunk.get("y");
    Lockstep.sayReady("{\"x\":0,\"y\":0,\"sword\":false}");

    for (Frame in = Lockstep.receive(); in != null; in = Lockstep.receive()) {
      in.skip(2); // the tick, twice
      double x = in.next(), y = in.next();
      in.skip(10); // z, velocity, hit points, gold, kills, depth, fallen, swordReady
      in.skip((int) in.next() * 5); // other heroes
      double column = Math.floor(x / wide + 0.5), row = Math.floor(y / deep + 0.5);
      double middleX = column * wide, middleY = row * deep;
      boolean known = false, east = false;
      for (int left = (int) in.next(); left > 0; left--) {
        double roomX = in.next(), roomY = in.next();
        in.skip(3); // z, halfX, halfY
        boolean opensEast = in.next() != 0;
        in.skip(5); // north, west, south, up, down
        if (roomX != column || roomY != row) continue;
        known = true;
        east = opensEast;
      }
      Comparator<double[]> nearer = Comparator.comparingDouble(one -> distance(one[0] - x, one[1] - y));
      double[] foe = things(in).stream().min(nearer).orElse(null);
      double[] gold =
          things(in).stream()
              .filter(one -> Math.abs(one[0] - middleX) < wide / 2 && Math.abs(one[1] - middleY) < deep / 2)
              .min(nearer)
              .orElse(null);
      if (foe != null && distance(foe[0] - x, foe[1] - y) < 2.7) towards(foe[0] - x, foe[1] - y, 0.2, true);
      else if (gold != null) towards(gold[0] - x, gold[1] - y, 1, false);
      else if (!known) towards(0, 0, 0, false);
      else if (Math.abs(east ? y - middleY : x - middleX) >= 0.5) towards(middleX - x, middleY - y, 1, false);
      else if (east) towards(middleX + wide - x, middleY - y, 1, false);
      else towards(middleX - x, middleY + deep - y, 1, false);
    }
  }
}
