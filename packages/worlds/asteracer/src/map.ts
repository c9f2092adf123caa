/** [AR-1.2] An asteroid, a goal, or the racer at the start. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface BoundingBox {
  readonly min_x: number;
  readonly min_y: number;
  readonly max_x: number;
  readonly max_y: number;
}

/** What a map file says. Never changes; every number is within the document's datatypes. */
export interface RaceMap {
  readonly racer: Circle;
  readonly box: BoundingBox;
  readonly asteroids: readonly Circle[];
  readonly goals: readonly Circle[];
}
