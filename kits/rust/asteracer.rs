mod lockstep;

/// Flies straight to the nearest goal that is left, and slows down to hit it. It does not see asteroids: that is yours to do.
fn main() {
    let map = lockstep::read_briefing().get("briefing");
    let goals: Vec<(f64, f64)> = map.get("goals").items.iter().map(|goal| (goal.get("x").number, goal.get("y").number)).collect();
    lockstep::say_ready(r#"{"vx":0,"vy":0}"#);

    while let Some(mut race) = lockstep::receive() {
        race.skip(1); // the tick again
        let (x, y, vx, vy) = (race.next(), race.next(), race.next(), race.next());
        let reached = race.text();

        let (mut dx, mut dy, mut nearest) = (0.0, 0.0, f64::MAX);
        for ((goal_x, goal_y), mark) in goals.iter().zip(reached.chars()) {
            let (gx, gy) = (goal_x - x, goal_y - y);
            if mark != '0' || gx * gx + gy * gy >= nearest {
                continue;
            }
            nearest = gx * gx + gy * gy;
            (dx, dy) = (gx, gy);
        }
        dx -= 12.0 * vx;
        dy -= 12.0 * vy;
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let thrust = length.min(126.0); // at most 127, and rounding must not make it longer
        lockstep::send(&[(dx / length * thrust).trunc(), (dy / length * thrust).trunc()]);
    }
}
