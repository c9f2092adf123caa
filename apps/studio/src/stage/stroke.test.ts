import { catalog } from '@lockstep/catalog';
import { expect, it } from 'vitest';
import { strokeOf } from './stroke.ts';

it('only where something would go is dashed: whatever lies on a table is drawn whole', () => {
  const { world, stage } = catalog.find((of) => of.world.name === 'pinball')!;
  const { shapes } = stage.scene(world.create(world.readConfig('classic'), 1n));
  const paths = shapes.filter((shape) => shape.shape === 'path');
  expect(paths.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['plunger', expect.stringMatching(/^flipper/), expect.stringMatching(/^bumper/)]),
  );
  expect(paths.map(({ material }) => strokeOf(material)).filter(({ dash, bright }) => dash > 0 || bright !== 'both')).toEqual([]);
  expect(strokeOf({ role: 'ghost' })).toEqual({ dash: 1.6, bright: 'first', alpha: 0.5 });
});
