import { describe, expect, it } from 'vitest';
import { game } from '../game.test-support.ts';
import { reportHtml } from './html.ts';
import { botPage, crosstable, ratingCurves, soloTable, spreadLabels, worstLosses } from './tables.ts';

const games = [
  game('1', ['a', 'b'], [1, 2], { scores: [5, 0], replay: 'replays/1.replay' }),
  game('2', ['b', 'a'], [1, 1], { scores: [1, 1] }),
  game('3', ['a', 'c'], [2, 1], { scores: [0, 1], faults: [{ seat: 0, tick: 2, kind: 'crash', reason: 'x' }] }),
];

describe('tables of a run', () => {
  it('counts points of each against each', () => {
    const { cells } = crosstable(games, ['a', 'b', 'c']);
    expect(cells[0]).toEqual([null, { games: 2, points: 1.5 }, { games: 1, points: 0 }]);
    expect(cells[1]![0]).toEqual({ games: 2, points: 0.5 });
    expect(cells[1]![2]).toBeNull();
  });

  it('computes ratings anew at every moment', () => {
    const curves = ratingCurves(games, 3);
    expect(curves.map(({ name, points }) => [name, points.map((point) => point.games)])).toEqual([['a', [1, 2, 3]], ['b', [1, 2, 3]], ['c', [3]]]); // prettier-ignore
  });

  it('finds the clearest losses and what there is to know of one bot', () => {
    expect(worstLosses(games, 1)).toMatchObject([{ name: 'b', margin: 5 }]);
    expect(worstLosses(games, 9, 'a')).toMatchObject([{ margin: 1, game: { id: '3' } }]);
    const party = game('4', ['a', 'b', 'a', 'b'], [4, 2, 1, 2], { scores: [0, 3, 7, 3] });
    expect(worstLosses([party], 9), 'several seats are one bot').toMatchObject([{ name: 'b', margin: 4 }]);
    expect(botPage(games, [], 'a')).toMatchObject({ crashes: 1, rating: null, games: { length: 3 }, losses: { length: 1 } });
  });

  it('keeps labels apart', () => {
    expect(spreadLabels([50, 10, 50, 50], 10, 100)).toEqual([50, 10, 60, 70]);
    expect(spreadLabels([95, 100, 99], 10, 100)).toEqual([80, 100, 90]);
  });

  it('orders who plays alone by mean score, then by length', () => {
    const alone = (name: string, score: number, ticks: number) => game(name, [name], [1], { scores: [score], ticks });
    expect(soloTable([alone('x', 2, 9), alone('y', 2, 5), alone('z', 3, 99)]).map(({ name }) => name)).toEqual(['z', 'y', 'x']);
  });
});

describe('the page', () => {
  const page = reportHtml('Spring <cup>', games);

  it('has standings, crosstable, curves, losses with links', () => {
    for (const piece of [
      'Spring &lt;cup&gt;',
      '<h2>Standings</h2>',
      '<h2>Crosstable</h2>',
      '<polyline',
      'href="replays/1.replay"',
      '1.5/2',
    ])
      expect(page).toContain(piece);
  });

  it('needs nothing but itself and runs nothing', () => {
    expect(page).not.toMatch(/<script|src=|url\(|@import|https?:/);
    expect(reportHtml('x', [game('1', ['<img onerror=x>', 'b'], [1, 2], { scores: [2, 0] })])).not.toContain('<img');
  });

  it('tells of a run without games, and of bots that play alone', () => {
    expect(reportHtml('none', [])).toContain('0 games');
    expect(reportHtml('solo', [game('1', ['x'], [1], { scores: [3] })])).toContain('mean score');
  });
});
