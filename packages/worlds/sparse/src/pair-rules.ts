import type { FieldIO } from '@lockstep/kernel';

/**
 * [SW-E25] `pairwise_collision_rule`: for two given entities, whether they can collide, whatever their flags say. Open addressing over pairs of
 * ids, the smaller one first; id 0 is nobody.
 */
export class PairRules {
  count = 0;
  /** Another one whenever a rule is made or forgotten. */
  version = 0;
  private small = new Uint32Array(16);
  private large = new Uint32Array(16);
  private allows = new Uint8Array(16);

  /** 1 they collide, 0 they do not, -1 nobody said anything about them. */
  get(a: number, b: number): number {
    const at = this.find(Math.min(a, b), Math.max(a, b));
    return this.small[at] === 0 ? -1 : this.allows[at]!;
  }

  set(a: number, b: number, canCollide: boolean): void {
    if ((this.count + 1) * 2 > this.small.length) this.rebuild(this.small.length * 2, 0);
    const at = this.find(Math.min(a, b), Math.max(a, b));
    if (this.small[at] === 0) this.count++;
    this.small[at] = Math.min(a, b);
    this.large[at] = Math.max(a, b);
    this.allows[at] = canCollide ? 1 : 0;
    this.version++;
  }

  /** `ClearCollisionRulesFor` */
  clearFor(id: number): void {
    this.rebuild(this.small.length, id);
  }

  /** Every rule as [smaller id, larger id, can collide], by ids. */
  list(): [number, number, boolean][] {
    const rules: [number, number, boolean][] = [];
    for (let at = 0; at < this.small.length; at++)
      if (this.small[at] !== 0) rules.push([this.small[at]!, this.large[at]!, this.allows[at] === 1]);
    return rules.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }

  /** Forgets all rules and takes those of a list. */
  replace(rules: readonly (readonly [a: number, b: number, canCollide: boolean])[]): void {
    this.clear(16);
    for (const [a, b, canCollide] of rules) this.set(a, b, canCollide);
  }

  /** Every rule, by ids. */
  fields(io: FieldIO): void {
    const rules = this.list();
    const count = io.num(rules.length);
    const numbers = new Float64Array(count * 3);
    numbers.set(rules.slice(0, count).flatMap(([small, large, canCollide]) => [small, large, canCollide ? 1 : 0]));
    io.nums(numbers);
    this.clear(16);
    for (let i = 0; i < numbers.length; i += 3) this.set(numbers[i]!, numbers[i + 1]!, numbers[i + 2] === 1);
  }

  private find(small: number, large: number): number {
    const mask = this.small.length - 1;
    const h = Math.imul(small, 0x9e37_79b1) ^ Math.imul(large, 0x85eb_ca6b);
    let at = (h ^ (h >>> 16)) & mask;
    while (this.small[at] !== 0 && (this.small[at] !== small || this.large[at] !== large)) at = (at + 1) & mask;
    return at;
  }

  private rebuild(size: number, without: number): void {
    const { small, large, allows } = this;
    this.clear(size);
    for (let at = 0; at < small.length; at++) {
      if (small[at] === 0 || small[at] === without || large[at] === without) continue;
      this.set(small[at]!, large[at]!, allows[at] === 1);
    }
  }

  private clear(size: number): void {
    this.version++;
    this.small = new Uint32Array(size);
    this.large = new Uint32Array(size);
    this.allows = new Uint8Array(size);
    this.count = 0;
  }
}
