/**
 * Elastic balls in a box without gravity, in the plainest way: all times anew after every event, every ball moved to every event. Slow, and written
 * from the equations alone; it shares nothing with the product.
 */
export class Billiards {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly vx: number[] = [];
  readonly vy: number[] = [];
  collisions = 0;
  readonly width: number;
  readonly height: number;
  readonly r: number;

  constructor(width: number, height: number, r: number) {
    this.width = width;
    this.height = height;
    this.r = r;
  }

  add(x: number, y: number, vx: number, vy: number): void {
    this.x.push(x);
    this.y.push(y);
    this.vx.push(vx);
    this.vy.push(vy);
  }

  run(seconds: number): void {
    let left = seconds;
    for (;;) {
      let first = left;
      let act = (): void => {};
      const offer = (t: number, then: () => void): void => {
        if (t >= 0 && t < first) {
          first = t;
          act = then;
        }
      };
      for (let i = 0; i < this.x.length; i++) {
        this.offerWalls(i, offer);
        for (let j = 0; j < i; j++) this.offerPair(i, j, offer);
      }
      for (let i = 0; i < this.x.length; i++) {
        this.x[i]! += this.vx[i]! * first;
        this.y[i]! += this.vy[i]! * first;
      }
      left -= first;
      if (left <= 0) return;
      act();
      this.collisions++;
    }
  }

  private offerWalls(i: number, offer: (t: number, then: () => void) => void): void {
    const { r } = this;
    if (this.vx[i]! < 0) offer((r - this.x[i]!) / this.vx[i]!, () => (this.vx[i]! *= -1));
    if (this.vx[i]! > 0) offer((this.width - r - this.x[i]!) / this.vx[i]!, () => (this.vx[i]! *= -1));
    if (this.vy[i]! < 0) offer((r - this.y[i]!) / this.vy[i]!, () => (this.vy[i]! *= -1));
    if (this.vy[i]! > 0) offer((this.height - r - this.y[i]!) / this.vy[i]!, () => (this.vy[i]! *= -1));
  }

  private offerPair(i: number, j: number, offer: (t: number, then: () => void) => void): void {
    const dx = this.x[i]! - this.x[j]!;
    const dy = this.y[i]! - this.y[j]!;
    const ux = this.vx[i]! - this.vx[j]!;
    const uy = this.vy[i]! - this.vy[j]!;
    const a = ux * ux + uy * uy;
    const b = dx * ux + dy * uy;
    const c = dx * dx + dy * dy - 4 * this.r * this.r;
    const square = b * b - a * c;
    if (b >= 0 || square <= 0) return;
    offer(Math.max(0, (-b - Math.sqrt(square)) / a), () => {
      const nx = this.x[i]! - this.x[j]!;
      const ny = this.y[i]! - this.y[j]!;
      const k = ((this.vx[i]! - this.vx[j]!) * nx + (this.vy[i]! - this.vy[j]!) * ny) / (nx * nx + ny * ny);
      this.vx[i]! -= k * nx;
      this.vy[i]! -= k * ny;
      this.vx[j]! += k * nx;
      this.vy[j]! += k * ny;
    });
  }
}
