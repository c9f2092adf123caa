mod lockstep;
use lockstep::Frame;

struct Thing {
    x: f64,
    y: f64,
}

fn distance(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// A list of things: each an id, a place and points.
fn things(hero: &mut Frame) -> Vec<Thing> {
    let count = hero.length();
    (0..count)
        .map(|_| {
            hero.skip(1); // its id
            let thing = Thing { x: hero.next(), y: hero.next() };
            hero.skip(2); // z, its points
            thing
        })
        .collect()
}

/// The first of those that are nearest.
fn nearest<'a>(things: impl Iterator<Item = &'a Thing>, x: f64, y: f64) -> Option<&'a Thing> {
    let away = |one: &Thing| distance(one.x - x, one.y - y);
    things.fold(None, |best, one| match best {
        Some(other) if away(one) >= away(other) => best,
        _ => Some(one),
    })
}

fn towards(x: f64, y: f64, speed: f64, sword: bool) {
    let length = if distance(x, y) == 0.0 { 1.0 } else { distance(x, y) };
    lockstep::send(&[x / length * speed, y / length * speed, if sword { 1.0 } else { 0.0 }]);
}

/// Takes the gold of its room, strikes what comes near, and walks on to the east or to the north. Stairs lead to more: they are yours to find.
fn main() {
    let chunk = lockstep::read_briefing().get("briefing").get("chunk");
    let (wide, deep) = (chunk.get("x").number, chunk.get("y").number);
    lockstep::say_ready(r#"{"x":0,"y":0,"sword":false}"#);

    while let Some(mut hero) = lockstep::receive() {
        hero.skip(1); // the tick again
        let (x, y) = (hero.next(), hero.next());
        hero.skip(10); // z, velocity, hit points, gold, kills, depth, fallen, swordReady
        for _ in 0..hero.length() {
            hero.skip(5); // other heroes
        }
        let (column, row) = ((x / wide + 0.5).floor(), (y / deep + 0.5).floor());
        let (middle_x, middle_y) = (column * wide, row * deep);
        let mut room = None;
        for _ in 0..hero.length() {
            let (room_x, room_y) = (hero.next(), hero.next());
            hero.skip(3); // z, halfX, halfY
            let opens_east = hero.next() != 0.0;
            hero.skip(5); // north, west, south, up, down
            if room_x == column && room_y == row {
                room = Some(opens_east);
            }
        }
        let monsters = things(&mut hero);
        let golds = things(&mut hero);

        let foe = nearest(monsters.iter(), x, y).filter(|foe| distance(foe.x - x, foe.y - y) < 2.7);
        let is_here = |one: &&Thing| (one.x - middle_x).abs() < wide / 2.0 && (one.y - middle_y).abs() < deep / 2.0;
        let gold = nearest(golds.iter().filter(is_here), x, y);
        match (foe, gold, room) {
            (Some(foe), _, _) => towards(foe.x - x, foe.y - y, 0.2, true),
            (_, Some(gold), _) => towards(gold.x - x, gold.y - y, 1.0, false),
            (_, _, None) => towards(0.0, 0.0, 0.0, false),
            (_, _, Some(east)) => {
                let off = if east { y - middle_y } else { x - middle_x };
                if off.abs() >= 0.5 {
                    towards(middle_x - x, middle_y - y, 1.0, false);
                } else if east {
                    towards(middle_x + wide - x, middle_y - y, 1.0, false);
                } else {
                    towards(middle_x - x, middle_y + deep - y, 1.0, false);
                }
            }
        }
    }
}
