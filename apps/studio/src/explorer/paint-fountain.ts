import { cellAt, spriteAt } from '@lockstep/sparse';
import type { Fountain } from './fountain.ts';
import type { Size } from './paint-top.ts';

/** Metres to be seen from side to side and from the floor up. */
const WIDE = 8;
const HIGH = 4.5;
const FLOOR = 84;
const SPECK = 0.09;

/** [SW-R44] [SW-R49] The grid below, the particles above it: light upon light. */
export function paintFountain(pen: CanvasRenderingContext2D, fountain: Fountain, { width, height }: Size): void {
  const { particles } = fountain;
  const { gridScale, cellsX, cellsZ } = particles.settings;
  const scale = Math.min(width / WIDE, (height - FLOOR) / HIGH);
  const [left, floor] = [width / 2, height - FLOOR];
  pen.fillStyle = '#05070c';
  pen.fillRect(0, 0, width, height);
  if (fountain.showsGrid.value) {
    const side = gridScale * scale;
    for (let z = 0; z < cellsZ; z++) {
      for (let x = 0; x < cellsX; x++) {
        const [cx, cy] = [left + (x - cellsX / 2) * side, floor - (z + 1) * side];
        const { shade, density, vx, vz } = cellAt(particles, x, 0, z);
        pen.strokeStyle = 'rgb(120 150 190 / 14%)';
        pen.lineWidth = 1;
        pen.strokeRect(cx, cy, side, side);
        if (density === 0) continue;
        pen.fillStyle = `rgb(80 160 255 / ${shade * 70}%)`;
        pen.fillRect(cx, cy, side, side);
        pen.strokeStyle = 'rgb(255 210 120 / 60%)';
        pen.beginPath();
        pen.moveTo(cx + side / 2, cy + side / 2);
        pen.lineTo(cx + side / 2 + vx * side * 0.12, cy + side / 2 - vz * side * 0.12);
        pen.stroke();
      }
    }
  }
  pen.strokeStyle = 'rgb(143 169 201 / 60%)';
  pen.beginPath();
  pen.moveTo(0, floor);
  pen.lineTo(width, floor);
  pen.stroke();
  pen.globalCompositeOperation = 'lighter';
  for (let i = 0; i < particles.live; i++) {
    const sprite = spriteAt(particles, i);
    if (sprite === null) continue;
    const [x, y, radius] = [left + sprite.x * scale, floor - sprite.z * scale, SPECK * scale];
    const rgb = `${sprite.red * 140} ${sprite.green * 200} ${sprite.blue * 255}`;
    for (const [share, alpha] of [
      [1, 0.22],
      [0.45, 0.75],
    ] as const) {
      pen.fillStyle = `rgb(${rgb} / ${sprite.alpha * alpha * 100}%)`;
      pen.beginPath();
      pen.arc(x, y, radius * share, 0, 2 * Math.PI);
      pen.fill();
    }
  }
  pen.globalCompositeOperation = 'source-over';
}
