mod lockstep;
use lockstep::Frame;

#[allow(dead_code)] // yours to use
struct Body {
    x: f64,
    y: f64,
    z: f64,
    velocity_x: f64,
    velocity_y: f64,
    velocity_z: f64,
    radius: f64,
}

struct Robot {
    id: usize,
    is_teammate: bool,
    body: Body,
}

fn read_body(game: &mut Frame) -> Body {
    Body {
        x: game.next(),
        y: game.next(),
        z: game.next(),
        velocity_x: game.next(),
        velocity_y: game.next(),
        velocity_z: game.next(),
        radius: game.next(),
    }
}

fn read_robot(game: &mut Frame) -> Robot {
    let id = game.next() as usize;
    game.skip(1); // whose it is, by the player's id
    let is_teammate = game.next() != 0.0;
    let body = read_body(game);
    game.skip(5); // nitro, does it touch something, and the normal there (NaN: none)
    Robot { id, is_teammate, body }
}

fn main() {
    let message = lockstep::read_briefing();
    let rules = message.get("briefing");
    let team = rules.get("team_size").number as usize;
    let first = message.get("seat").number as usize * team + 1; // ids of our robots: first, first + 1, …
    let speed = rules.get("ROBOT_MAX_GROUND_SPEED").number;
    let jump = rules.get("ROBOT_MAX_JUMP_SPEED").number;

    let order = r#"{"target_velocity_x":0,"target_velocity_y":0,"target_velocity_z":0,"jump_speed":0,"use_nitro":false}"#;
    let orders: Vec<String> = (first..first + team).map(|id| format!("\"{id}\":{order}")).collect();
    lockstep::say_ready(&format!("{{{}}}", orders.join(",")));

    while let Some(mut game) = lockstep::receive() {
        game.skip(1); // the tick again
        for _ in 0..game.length() {
            game.skip(4); // players: id, me, strategy_crashed, score
        }
        let robots: Vec<Robot> = (0..game.length()).map(|_| read_robot(&mut game)).collect();
        for _ in 0..game.length() {
            game.skip(6); // packs: id, x, y, z, radius, respawn_ticks (NaN: it is there)
        }
        let ball = read_body(&mut game);

        // Everybody runs to where the ball is, from behind it; whoever is near jumps.
        let mut answer = vec![0.0; team * 5];
        for robot in robots.iter().filter(|robot| robot.is_teammate) {
            let dx = ball.x - robot.body.x;
            let dz = ball.z - 2.0 - robot.body.z; // our own goal is always at z < 0
            let mut distance = (dx * dx + dz * dz).sqrt();
            if distance == 0.0 {
                distance = 1.0;
            }
            let order = (robot.id - first) * 5;
            answer[order] = dx / distance * speed;
            answer[order + 2] = dz / distance * speed;
            answer[order + 3] = if distance < 4.0 && ball.z > robot.body.z { jump } else { 0.0 };
        }
        lockstep::send(&answer);
    }
}
