/** A choice that outlives the page. Where the browser keeps nothing, the page works all the same. */
export function remembered<const T extends string>(name: string, choices: readonly T[]): T | null {
  try {
    const found = localStorage.getItem(`lockstep.${name}`);
    return choices.find((choice) => choice === found) ?? null;
  } catch {
    return null;
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`lockstep.${name}`, value);
  } catch {
    // private windows may refuse; the choice then lasts as long as the page
  }
}
