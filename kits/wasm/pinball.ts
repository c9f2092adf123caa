import { Json, Row } from './data';

class Flipper {
  constructor(
    public isLeft: bool,
    public x: f64,
    public y: f64,
    public length: f64,
  ) {}
}

/** Pulls the plunger and lets go; presses the flipper that a ball comes down to. When to press is yours to find out. */
export class Bot {
  private flippers: Flipper[] = [];
  private pulled: i32 = 0;

  constructor(briefing: Json, _seat: i32) {
    const flippers = briefing.get('config').get('table').get('flippers').items;
    for (let i = 0; i < flippers.length; i++) {
      const one = flippers[i];
      const pivot = one.get('pivot').items;
      this.flippers.push(new Flipper(one.get('button').text == 'left', pivot[0].number, pivot[1].number, one.get('length').number));
    }
  }

  act(machine: Row): f64[] {
    machine.skip(3); // the tick again, the score, the balls that are left
    let waiting = false;
    let left = false;
    let right = false;
    for (let balls = machine.length(); balls > 0; balls--) {
      machine.skip(1); // its id
      const x = machine.next();
      const y = machine.next();
      machine.skip(1); // vx
      const vy = machine.next();
      machine.skip(1); // its spin
      const layer = machine.next();
      machine.skip(1); // is it held?
      if (machine.next() != 0) waiting = true;
      for (let i = 0; i < this.flippers.length; i++) {
        const flipper = this.flippers[i];
        const dx = x - flipper.x;
        const dy = y - flipper.y;
        const length = flipper.length;
        if (layer != 0 || vy >= 0 || dx <= -length || dx >= length || dy <= -length || dy >= 1) continue;
        if (flipper.isLeft) left = true;
        else right = true;
      }
    }
    this.pulled = waiting ? this.pulled + 1 : 0;
    const plunger: f64 = waiting && this.pulled % 150 < 125 ? 1 : 0;
    return [left ? 1 : 0, right ? 1 : 0, plunger, 0, 0]; // the last two: how the table is nudged
  }
}
