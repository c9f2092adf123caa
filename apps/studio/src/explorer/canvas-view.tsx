import { effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Explorer } from './explorer.ts';
import { paintFountain } from './paint-fountain.ts';
import { paintTop, type Size } from './paint-top.ts';
import { explorerWords } from './words.ts';

/** Pixels from the hero at which it goes with full force. */
const FULL_PULL = 80;

/** The top view, or the fountain: painted when what it shows has changed. */
export function CanvasView({ explorer }: { explorer: Explorer }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const name = explorer.view.value;
  useEffect(() => {
    const element = canvas.current!;
    const pen = element.getContext('2d')!;
    let size: Size = { width: 1, height: 1 };
    const paint = (): void => {
      if (!element.isConnected) return; // another view has taken its place
      if (name === 'particles') {
        void explorer.fountain.frame.value; // each frame is painted
        paintFountain(pen, explorer.fountain, size);
      } else if (explorer.top.value !== null) paintTop(pen, explorer.top.value, size);
    };
    const fit = (): void => {
      const ratio = Math.min(devicePixelRatio, 2);
      size = { width: Math.max(1, element.clientWidth), height: Math.max(1, element.clientHeight) };
      explorer.size = size;
      element.width = Math.round(size.width * ratio);
      element.height = Math.round(size.height * ratio);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      paint();
    };
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    fit();
    const stop = effect(paint);
    return () => {
      stop();
      observer.disconnect();
    };
  }, []);

  const point = (event: PointerEvent): void => {
    const { left, top, width, height } = canvas.current!.getBoundingClientRect();
    const [x, y] = [event.clientX - left - width / 2, top + height / 2 - event.clientY];
    const length = Math.max(FULL_PULL, Math.hypot(x, y));
    explorer.hands.pointed = [x / length, y / length];
  };
  const letGo = (): void => {
    explorer.hands.pointed = null;
  };
  return (
    <canvas
      ref={canvas}
      class="explorer-canvas"
      role="img"
      aria-label={explorerWords.value[name]}
      data-testid={`explorer-${name}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        if (name === 'top') point(event);
      }}
      onPointerMove={(event) => {
        if (explorer.hands.pointed !== null) point(event);
      }}
      onPointerUp={letGo}
      onPointerCancel={letGo}
    />
  );
}
