import { InputError, type Json } from '@lockstep/kernel';
import { pinball, TABLES } from '@lockstep/pinball';
import { describe, expect, it } from 'vitest';
import {
  distanceTo,
  dragged,
  type Draft,
  handlesOf,
  KINDS,
  newPart,
  partAt,
  pathsOf,
  replaced,
  shifted,
  without,
  withPart,
} from './parts.ts';

const { world } = pinball;
const draftOf = (name: string): Draft => structuredClone(TABLES[name]!) as Draft;
const wrongOf = (draft: Draft): string | null => {
  try {
    world.readConfig({ table: draft as Json });
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
};

describe.each(['classic', 'learner'])('the parts of %s', (name) => {
  const draft = draftOf(name);

  it('can each be taken away: what rules and missions said of it goes with it, and the rest can be played', () => {
    for (const path of pathsOf(draft).filter((one) => one.includes('['))) {
      const left = without(draft, path);
      expect([path, wrongOf(left)]).toEqual([path, null]);
      const gone = partAt(draft, path)!['name'];
      if (typeof gone === 'string') expect([path, JSON.stringify(left).includes(`"${gone}"`)]).toEqual([path, false]);
    }
  });

  it('are found where they are, and come back where they were', () => {
    for (const path of pathsOf(draft)) {
      const part = partAt(draft, path)!;
      const handles = handlesOf(part);
      expect([path, handles.length > 0]).toEqual([path, true]);
      const there = shifted(shifted(part, 5, 3), -5, -3);
      handlesOf(there).forEach(({ at }, i) => {
        expect(at[0]).toBeCloseTo(handles[i]!.at[0], 1);
        expect(at[1]).toBeCloseTo(handles[i]!.at[1], 1);
      });
      if (part['kind'] !== 'arc') expect([path, distanceTo(part, handles[0]!.at) < 0.01]).toEqual([path, true]);
    }
  });

  it('are renamed together with what speaks of them', () => {
    const path = 'bumpers[0]';
    const part = { ...partAt(draft, path)!, name: 'another' };
    expect(wrongOf(replaced(draft, path, part))).toBeNull();
  });
});

it('every kind that can be added is a part that the reader takes, and scores if it is a switch', () => {
  for (const kind of KINDS) {
    const { list, part } = newPart(draftOf('learner'), kind, [18, 30]);
    const wrong = wrongOf(withPart(draftOf('learner'), list, part));
    // A flipper in the middle of the field touches nothing either.
    expect([kind, wrong]).toEqual([kind, null]);
  }
});

it('a flipper’s tip is dragged: length and both angles follow', () => {
  const part = partAt(draftOf('learner'), 'flippers[1]')!;
  const tip = handlesOf(part).find(({ sets }) => sets === 'tip')!;
  const [x, y] = part['pivot'] as [number, number];
  const turned = dragged(part, tip, [x - 5, y]);
  expect(turned['length']).toBe(5);
  expect(turned['rest']).toBeCloseTo(Math.PI, 9);
  expect((turned['raised'] as number) - (turned['rest'] as number)).toBeCloseTo((part['raised'] as number) - (part['rest'] as number), 9);
});
