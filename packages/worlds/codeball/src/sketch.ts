import { cos, type Material, type Path, type Shape, sin, type Sketch } from '@lockstep/kernel';

/**
 * [CB-3.10] Custom rendering of the contest's strategies: a list of Sphere, Line and Text, or plain text. In the strategy's own coordinates:
 * player 2's z is mirrored back here. What has no numbers is told as text.
 */
export function sketch(seat: number, debug: unknown): Sketch {
  const shapes: Shape[] = [];
  const texts: string[] = [];
  for (const item of Array.isArray(debug) ? (debug as unknown[]) : [debug]) {
    const { Sphere, Line, Text } = isRecord(item) ? item : {};
    const drawn = isRecord(Sphere) ? sphere(seat, Sphere) : isRecord(Line) ? line(seat, Line) : null;
    if (drawn !== null) shapes.push(...drawn);
    else texts.push(typeof Text === 'string' ? Text : typeof item === 'string' ? item : JSON.stringify(item));
  }
  return { shapes, texts };
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** All of them, or nothing. */
function numbers(fields: Fields, ...names: string[]): number[] | null {
  const values = names.map((name) => fields[name]);
  return values.every((value) => typeof value === 'number' && Number.isFinite(value)) ? (values as number[]) : null;
}

function material(seat: number, fields: Fields): Material {
  const share = (name: string, orElse: number): number => Math.min(1, Math.max(0, numbers(fields, name)?.[0] ?? orElse));
  return { role: 'debug', seat, alpha: share('a', 1), colour: [share('r', 1), share('g', 1), share('b', 1)] };
}

const ROUND = 24;
const THIN = 0.08;

/** Three rings about its middle: what it stands around stays to be seen. */
function sphere(seat: number, fields: Fields): Path[] | null {
  const found = numbers(fields, 'x', 'y', 'z', 'radius');
  if (found === null) return null;
  const [x, y, z, radius] = found as [number, number, number, number];
  const middle = [x, y, seat === 1 ? -z : z] as const;
  return [0, 1, 2].map((axis): Path => {
    const points = new Float32Array(3 * (ROUND + 1));
    for (let i = 0; i <= ROUND; i++) {
      const angle = (2 * Math.PI * i) / ROUND;
      points.set(middle, 3 * i);
      points[3 * i + axis]! += radius * cos(angle);
      points[3 * i + ((axis + 1) % 3)]! += radius * sin(angle);
    }
    return { shape: 'path', key: '', points, width: Math.min(THIN, radius / 4), material: material(seat, fields) };
  });
}

function line(seat: number, fields: Fields): Path[] | null {
  const found = numbers(fields, 'x1', 'y1', 'z1', 'x2', 'y2', 'z2');
  if (found === null) return null;
  const [x1, y1, z1, x2, y2, z2] = found as [number, number, number, number, number, number];
  const side = seat === 1 ? -1 : 1;
  const points = Float32Array.of(x1, y1, z1 * side, x2, y2, z2 * side);
  // The contest's widths are pixels.
  const width = Math.min(1, Math.max(THIN, (numbers(fields, 'width')?.[0] ?? 1) * THIN));
  return [{ shape: 'path', key: '', points, width, material: material(seat, fields) }];
}
