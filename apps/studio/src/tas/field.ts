/** A value field as a picture of one pixel a cell, and where on the map it lies. */
export interface FieldPicture {
  readonly picture: HTMLCanvasElement;
  /** The map's place of its left upper corner. */
  readonly x: number;
  readonly y: number;
  /** Units a cell. */
  readonly cell: number;
}
