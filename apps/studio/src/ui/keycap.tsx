/** Drawn: not every font has them. */
const ARROWS: Readonly<Record<string, string>> = {
  '←': 'M16 10H4M9 5l-5 5 5 5',
  '→': 'M4 10h12M11 5l5 5-5 5',
  '↑': 'M10 16V4M5 9l5-5 5 5',
  '↓': 'M10 4v12M5 11l5 5 5-5',
};

/** What stands on a key, or on keys that are pressed together. */
function Keycap({ name }: { name: string }) {
  return (
    <kbd>
      {name
        .split(/([←→↑↓])/)
        .filter((part) => part !== '')
        .map((part) => (ARROWS[part] === undefined ? part : <Arrow key={part} name={part} />))}
    </kbd>
  );
}

/** Keys and what they do. */
export type KeyLines = readonly (readonly [names: readonly string[], what: string])[];

export function KeyList({ keys, class: look }: { keys: KeyLines; class?: string }) {
  return (
    <dl class={look}>
      {keys.map(([names, what]) => (
        <div key={what}>
          <dt>
            {names.map((name) => (
              <Keycap key={name} name={name} />
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

function Arrow({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 20 20" width="14" height="14" role="img" aria-label={name}>
      <path d={ARROWS[name]} fill="none" stroke="currentColor" stroke-width="1.7" stroke-linejoin="round" stroke-linecap="round" />
    </svg>
  );
}
