import type { Circle, RaceMap } from './map.ts';

/** A picture of a map as SVG: rocks, goals with their numbers, the racer at its start and, if there is one, the way it took. */
export function mapSvg({ racer, box, asteroids, goals }: RaceMap, way: readonly { readonly x: number; readonly y: number }[] = []): string {
  const width = Math.max(box.max_x - box.min_x, 1);
  const height = Math.max(box.max_y - box.min_y, 1);
  const stroke = Math.max(width, height) / 500;
  const circle = ({ x, y, radius }: Circle): string => `<circle cx="${x}" cy="${y}" r="${radius}"/>\n`;
  const label = ({ x, y }: Circle, i: number): string => `<text x="${x}" y="${y + 4 * stroke}">${i + 1}</text>\n`;
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.min_x} ${box.min_y} ${width} ${height}">\n`,
    `<rect x="${box.min_x}" y="${box.min_y}" width="${width}" height="${height}" fill="#10141c"/>\n`,
    `<g fill="#5b6472">\n${asteroids.map(circle).join('')}</g>\n`,
    `<g fill="#f2b84b">\n${goals.map(circle).join('')}</g>\n`,
    `<g fill="#10141c" text-anchor="middle" font-family="sans-serif" font-size="${12 * stroke}">\n${goals.map(label).join('')}</g>\n`,
    way.length === 0
      ? ''
      : `<polyline fill="none" stroke="#6cd4ff" stroke-width="${stroke}" points="${way.map(({ x, y }) => `${x},${y}`).join(' ')}"/>\n`,
    `<g fill="#6cd4ff">\n${circle({ ...racer, radius: Math.max(racer.radius, 2 * stroke) })}</g>\n`,
    '</svg>\n',
  ];
  return lines.join('');
}
