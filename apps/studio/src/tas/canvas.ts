import { effect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Size } from './camera.ts';

/**
 * A canvas that is painted when what it shows changed, at most once a frame. `look` reads the signals, `paint` draws what was seen last.
 */
export function usePainted<Sight>(
  canvas: RefObject<HTMLCanvasElement | null>,
  resized: (size: Size) => void,
  look: () => Sight | null,
  paint: (pen: CanvasRenderingContext2D, sight: Sight, ratio: number) => void,
): void {
  useEffect(() => {
    const element = canvas.current!;
    const pen = element.getContext('2d')!;
    let sight: Sight | null = null;
    let asked = 0;
    const draw = () => {
      asked = 0;
      if (sight === null) return;
      const ratio = Math.min(devicePixelRatio, 2);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint(pen, sight, ratio);
    };
    const fit = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width === 0 || height === 0) return; // it is about to go, or folded away: there is nothing to draw on
      const ratio = Math.min(devicePixelRatio, 2);
      element.width = Math.max(1, Math.round(width * ratio));
      element.height = Math.max(1, Math.round(height * ratio));
      resized({ width, height });
      draw();
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    fit();
    const stop = effect(() => {
      sight = look();
      if (asked === 0) asked = requestAnimationFrame(draw);
    });
    return () => {
      stop();
      observer.disconnect();
      cancelAnimationFrame(asked);
    };
  }, []);
}
