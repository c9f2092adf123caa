import { useEffect, useRef } from 'preact/hooks';
import { tape, theme } from '../shell.ts';
import { words, worldly } from '../words.ts';

const WINDOW_SECONDS = 20;

/** Numbers of the scenes over the last seconds of watching. */
export function ChartPanel() {
  const w = words.value;
  const shown = tape.value.shown.value;
  if (shown === null) return <p class="dim">{w.noMetrics}</p>;
  return (
    <>
      {Object.entries(shown.scene.metrics).map(([name, value]) => (
        <figure class="chart" key={name}>
          <figcaption>
            <span>{worldly(name)}</span>
            <span class="figures">{value.toFixed(2)}</span>
          </figcaption>
          <Line name={name} tick={shown.scene.tick} />
        </figure>
      ))}
    </>
  );
}

function Line({ name, tick }: { name: string; tick: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    drawLine(canvas.current!, name, tick);
  }, [name, tick, theme.value]);
  return <canvas ref={canvas} aria-hidden="true" />;
}

function drawLine(canvas: HTMLCanvasElement, name: string, tick: number): void {
  const span = WINDOW_SECONDS * (tape.value.info.peek()?.ticksPerSecond ?? 60);
  const first = Math.max(0, tick - span);
  const points: [number, number][] = [];
  for (let t = first; t <= tick; t++) {
    const value = tape.value.metrics.get(t)?.[name];
    if (value !== undefined) points.push([t, value]);
  }
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const pen = canvas.getContext('2d')!;
  pen.scale(devicePixelRatio, devicePixelRatio);
  const style = getComputedStyle(canvas);
  const low = Math.min(0, ...points.map(([, value]) => value));
  const high = Math.max(1, ...points.map(([, value]) => value));
  const x = (t: number) => ((t - first) / span) * width;
  const y = (value: number) => height - 3 - ((value - low) / (high - low)) * (height - 6);
  pen.strokeStyle = style.getPropertyValue('--edge');
  pen.beginPath();
  pen.moveTo(0, y(0));
  pen.lineTo(width, y(0));
  pen.stroke();
  pen.strokeStyle = style.getPropertyValue('--accent');
  pen.lineWidth = 1.5;
  pen.beginPath();
  for (const [t, value] of points) pen.lineTo(x(t), y(value));
  pen.stroke();
}
