mod lockstep;

struct Flipper {
    is_left: bool,
    x: f64,
    y: f64,
    length: f64,
}

/// Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out.
fn main() {
    let table = lockstep::read_briefing().get("briefing").get("config").get("table");
    let flippers: Vec<Flipper> = (table.get("flippers").items.iter())
        .map(|one| {
            let pivot = one.get("pivot").items;
            Flipper { is_left: one.get("button").text == "left", x: pivot[0].number, y: pivot[1].number, length: one.get("length").number }
        })
        .collect();
    lockstep::say_ready(r#"{"left":false,"right":false,"plunger":0}"#);

    let mut pulled = 0;
    while let Some(mut machine) = lockstep::receive() {
        machine.skip(3); // the tick again, the score, the balls that are left
        let (mut waiting, mut left, mut right) = (false, false, false);
        for _ in 0..machine.length() {
            machine.skip(1); // its id
            let (x, y) = (machine.next(), machine.next());
            machine.skip(1); // vx
            let vy = machine.next();
            machine.skip(1); // its spin
            let layer = machine.next();
            machine.skip(1); // is it held?
            if machine.next() != 0.0 {
                waiting = true;
            }
            for flipper in &flippers {
                let (dx, dy, length) = (x - flipper.x, y - flipper.y, flipper.length);
                if layer == 0.0 && vy < 0.0 && dx > -length && dx < length && dy > -length && dy < 1.0 {
                    *(if flipper.is_left { &mut left } else { &mut right }) = true;
                }
            }
        }
        pulled = if waiting { pulled + 1 } else { 0 };
        let number = |yes: bool| if yes { 1.0 } else { 0.0 };
        lockstep::send(&[number(left), number(right), number(waiting && pulled % 150 < 125)]);
    }
}
