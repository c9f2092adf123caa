const SIZE = 64;
const sprites = new Map<string, HTMLCanvasElement>();

function spriteOf(colour: string): HTMLCanvasElement {
  let sprite = sprites.get(colour);
  if (sprite !== undefined) return sprite;
  sprite = document.createElement('canvas');
  sprite.width = SIZE;
  sprite.height = SIZE;
  const pen = sprite.getContext('2d')!;
  const light = pen.createRadialGradient(SIZE / 2, SIZE / 2, 0, SIZE / 2, SIZE / 2, SIZE / 2);
  light.addColorStop(0, colour);
  light.addColorStop(0.25, `${colour}88`);
  light.addColorStop(0.6, `${colour}22`);
  light.addColorStop(1, `${colour}00`);
  pen.fillStyle = light;
  pen.fillRect(0, 0, SIZE, SIZE);
  sprites.set(colour, sprite);
  return sprite;
}

/** A soft light of a colour #rrggbb; it adds up by night and tints by day. Made once a colour: gradients are dear. */
export function glow(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  colour: string,
  share: number,
  adds: boolean,
): void {
  if (share <= 0) return;
  pen.save();
  pen.globalAlpha = Math.min(1, share) * (adds ? 0.75 : 0.45);
  if (adds) pen.globalCompositeOperation = 'lighter';
  pen.drawImage(spriteOf(colour), x - radius, y - radius, radius * 2, radius * 2);
  pen.restore();
}
