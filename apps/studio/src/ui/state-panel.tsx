import { useEffect, useRef } from 'preact/hooks';
import { tape } from '../shell.ts';
import { words } from '../words.ts';

/** Every field of the state, with those that changed since the tick looked at before. */
export function StatePanel() {
  const w = words.value;
  const tick = tape.value.shown.value?.scene.tick;
  const playing = tape.value.playing.value;
  // While it plays a few looks a second are enough for the eye.
  const look = playing && tick !== undefined ? Math.floor(tick / 12) : tick;
  useEffect(() => tape.value.askFields(), [look]);

  const fields = tape.value.fields.value;
  const before = useRef(new Map<string, string>());
  const last = useRef(-1);
  const now = useRef(new Map<string, string>());
  if (fields !== null && fields.tick !== last.current) {
    before.current = now.current;
    now.current = new Map(fields.lines);
    last.current = fields.tick;
  }
  if (fields === null) return <p class="dim">…</p>;
  return (
    <>
      <p class="dim">
        {w.tick} <span class="figures">{fields.tick}</span>
      </p>
      <table class="fields">
        <thead>
          <tr>
            <th scope="col">{w.field}</th>
            <th scope="col" colSpan={2}>
              {w.value}
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.lines.map(([path, value]) => {
            const was = before.current.get(path);
            const changed = was !== undefined && was !== value;
            return (
              <tr key={path} class={changed ? 'changed' : ''} title={changed ? w.changed : undefined}>
                <th scope="row">{path}</th>
                <Value text={value} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** Numbers stand with their points below each other: what is before it in one column, the rest in the next. */
function Value({ text }: { text: string }) {
  const parts = /^(-?\d+|true|false)([.e].*)?$/.exec(text);
  if (parts === null) return <td colSpan={2}>{text}</td>;
  return (
    <>
      <td class="whole">{parts[1]}</td>
      <td class="rest">{parts[2]}</td>
    </>
  );
}
