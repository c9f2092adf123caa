import type { Json } from '@lockstep/kernel';

const MATERIALS = {
  wood: { restitution: 0.5, friction: 0.1 },
  metal: { restitution: 0.35, friction: 0.1 },
  rubber: { restitution: 0.8, friction: 0.3, falloff: 0.001 },
  flipper: { restitution: 0.6, friction: 0.4, falloff: 0.002 },
  plastic: { restitution: 0.5, friction: 0.1 },
  guide: { restitution: 0.1, friction: 0.02 },
};

const FLIPPER = { baseRadius: 1.2, tipRadius: 0.7, mass: 1, strength: 2500, hold: 0.4, endOfStroke: 0.1, spring: 900, material: 'flipper' };

/** For learning: two flippers, three bumpers, three targets, no outlanes and a narrow gap. */
const learner = {
  name: 'learner',
  width: 40,
  height: 70,
  radius: 1.35,
  gravity: [0, -100],
  capacity: 1,
  materials: MATERIALS,
  walls: [
    {
      kind: 'polyline',
      points: [
        [0, 50],
        [0, -6],
        [40, -6],
        [40, 50],
      ],
      material: 'wood',
    },
    { kind: 'arc', at: [20, 50], radius: 20, from: 0, to: Math.PI, side: 'inside', material: 'guide' },
    {
      kind: 'polyline',
      points: [
        [36.5, -6],
        [36.5, 48],
      ],
      material: 'metal',
    },
    {
      kind: 'polygon',
      points: [
        [0, 19.1],
        [9.3, 14],
        [9, 12],
        [9, -6],
        [0, -6],
      ],
      material: 'wood',
    },
    {
      kind: 'polygon',
      points: [
        [36.5, 19.1],
        [27.2, 14],
        [27.5, 12],
        [27.5, -6],
        [36.5, -6],
      ],
      material: 'wood',
    },
    { kind: 'post', at: [13.5, 60], radius: 0.6, material: 'rubber' },
    { kind: 'post', at: [18.25, 60], radius: 0.6, material: 'rubber' },
    { kind: 'post', at: [23, 60], radius: 0.6, material: 'rubber' },
  ],
  flippers: [
    { ...FLIPPER, name: 'left flipper', button: 'left', pivot: [10.6, 12], length: 6, rest: -0.5, raised: 0.5 },
    {
      ...FLIPPER,
      name: 'right flipper',
      button: 'right',
      pivot: [25.9, 12],
      length: 6,
      rest: Math.PI + 0.5,
      raised: Math.PI - 0.5,
    },
  ],
  bumpers: [
    { name: 'left bumper', at: [11.5, 49], radius: 2.5, throwSpeed: 120, threshold: 8 },
    { name: 'right bumper', at: [25, 49], radius: 2.5, throwSpeed: 120, threshold: 8 },
    { name: 'low bumper', at: [18.25, 41], radius: 2.5, throwSpeed: 120, threshold: 8 },
  ],
  plunger: { at: [38.25, 8], width: 3.1, travel: 5, speed: 190, scatter: 0.02 },
  targets: [
    { name: 'target A', kind: 'stand-up', from: [1, 30], to: [1, 33], material: 'plastic' },
    { name: 'target B', kind: 'stand-up', from: [1, 35], to: [1, 38], material: 'plastic' },
    { name: 'target C', kind: 'stand-up', from: [35.5, 32], to: [35.5, 35], material: 'plastic' },
  ],
  lanes: [
    { name: 'left lane', from: [14.1, 60], to: [17.65, 60] },
    { name: 'right lane', from: [18.85, 60], to: [22.4, 60] },
  ],
  gates: [{ name: 'shooter gate', from: [36.5, 48], to: [39.9, 52] }],
  drain: { from: [0, 2], to: [36.5, 2] },
  ballSave: 12,
  tilt: { nudge: 1, limit: 1.5, warnings: 3 },
  counters: { A: 0, B: 0, C: 0 },
  rules: [
    { on: ['left bumper', 'right bumper', 'low bumper'], score: 100 },
    { on: ['left lane', 'right lane'], score: 500 },
    { on: ['target A', 'target B', 'target C'], score: 250 },
    { on: ['target A'], set: { A: 1 } },
    { on: ['target B'], set: { B: 1 } },
    { on: ['target C'], set: { C: 1 } },
    {
      on: ['target A', 'target B', 'target C'],
      when: [
        { counter: 'A', min: 1 },
        { counter: 'B', min: 1 },
        { counter: 'C', min: 1 },
      ],
      score: 5000,
      save: 10,
      set: { A: 0, B: 0, C: 0 },
    },
  ],
  missions: [
    {
      name: 'first flight',
      starts: ['left lane', 'right lane'],
      seconds: 60,
      steps: [{ on: ['left bumper', 'right bumper', 'low bumper'], times: 5 }, { on: ['target A', 'target B', 'target C'] }],
      score: 5000,
      save: 10,
    },
  ],
};

/** Lighthouse: bumpers, slings, targets, a spinner, a ramp, a saucer, three balls and a rescue. */
const classic = {
  name: 'classic',
  width: 50,
  height: 105,
  radius: 1.35,
  gravity: [0, -120],
  capacity: 3,
  materials: MATERIALS,
  walls: [
    {
      kind: 'polyline',
      points: [
        [0, 80],
        [0, -6],
        [50, -6],
        [50, 80],
      ],
      material: 'wood',
      layers: [0, 1],
    },
    { kind: 'arc', at: [25, 80], radius: 25, from: 0, to: Math.PI, side: 'inside', material: 'guide', layers: [0, 1] },
    {
      kind: 'polyline',
      points: [
        [46, -6],
        [46, 78],
      ],
      material: 'metal',
    },
    {
      kind: 'polyline',
      points: [
        [3.4, 33],
        [3.4, 21.9],
        [12.2, 17.1],
      ],
      material: 'metal',
    },
    {
      kind: 'polyline',
      points: [
        [42.6, 33],
        [42.6, 21.9],
        [33.8, 17.1],
      ],
      material: 'metal',
    },
    {
      kind: 'polygon',
      points: [
        [7.8, 31],
        [7.8, 24],
        [12.8, 21.3],
      ],
      material: 'rubber',
    },
    {
      kind: 'polygon',
      points: [
        [38.2, 31],
        [38.2, 24],
        [33.2, 21.3],
      ],
      material: 'rubber',
    },
    { kind: 'bar', from: [16.25, 88], to: [16.25, 92], radius: 0.4, material: 'rubber' },
    { kind: 'bar', from: [20.75, 88], to: [20.75, 92], radius: 0.4, material: 'rubber' },
    { kind: 'bar', from: [25.25, 88], to: [25.25, 92], radius: 0.4, material: 'rubber' },
    { kind: 'bar', from: [29.75, 88], to: [29.75, 92], radius: 0.4, material: 'rubber' },
    {
      kind: 'polygon',
      points: [
        [41, 48],
        [43.4, 42],
        [46, 38],
        [46, 66],
        [41, 60],
      ],
      material: 'wood',
    },
    {
      kind: 'polygon',
      points: [
        [0, 61],
        [3.4, 54],
        [0, 50],
      ],
      material: 'rubber',
    },
    {
      kind: 'polyline',
      points: [
        [14, 50],
        [14, 62],
      ],
      material: 'guide',
      layers: [1],
    },
    { kind: 'arc', at: [7.5, 62], radius: 6.5, from: 0, to: Math.PI, side: 'inside', material: 'guide', layers: [1] },
    { kind: 'post', at: [7.5, 62], radius: 1, material: 'guide', layers: [1] },
    {
      kind: 'polyline',
      points: [
        [8.5, 50],
        [8.5, 62],
      ],
      material: 'guide',
      layers: [1],
    },
    {
      kind: 'polyline',
      points: [
        [1, 62],
        [1, 42],
        [4.4, 35],
        [4.4, 31.5],
      ],
      material: 'guide',
      layers: [1],
    },
    {
      kind: 'polyline',
      points: [
        [6.5, 62],
        [6.5, 43],
        [8, 36],
        [8, 31.5],
      ],
      material: 'guide',
      layers: [1],
    },
  ],
  flippers: [
    { ...FLIPPER, name: 'left flipper', button: 'left', pivot: [13.8, 15], length: 7.5, rest: -0.5, raised: 0.5 },
    {
      ...FLIPPER,
      name: 'right flipper',
      button: 'right',
      pivot: [32.2, 15],
      length: 7.5,
      rest: Math.PI + 0.5,
      raised: Math.PI - 0.5,
    },
  ],
  bumpers: [
    { name: 'left bumper', at: [17, 78], radius: 3, throwSpeed: 150, threshold: 8 },
    { name: 'right bumper', at: [29, 78], radius: 3, throwSpeed: 150, threshold: 8 },
    { name: 'low bumper', at: [23, 69], radius: 3, throwSpeed: 150, threshold: 8 },
  ],
  slingshots: [
    { name: 'left sling', from: [8.4, 30.5], to: [12.9, 21.9], throwSpeed: 130, threshold: 15 },
    { name: 'right sling', from: [37.6, 30.5], to: [33.1, 21.9], throwSpeed: 130, threshold: 15 },
  ],
  plunger: { at: [48, 10], width: 3.6, travel: 6, speed: 260, scatter: 0.03 },
  targets: [
    { name: 'drop 1', kind: 'drop', from: [40, 49], to: [40, 52], material: 'plastic' },
    { name: 'drop 2', kind: 'drop', from: [40, 52.5], to: [40, 55.5], material: 'plastic' },
    { name: 'drop 3', kind: 'drop', from: [40, 56], to: [40, 59], material: 'plastic' },
    { name: 'oil', kind: 'stand-up', from: [1, 36], to: [1, 39], material: 'plastic' },
    { name: 'wick', kind: 'stand-up', from: [1, 41], to: [1, 44], material: 'plastic' },
  ],
  rollovers: [
    { name: 'left inlane', at: [5.6, 27], radius: 1.2 },
    { name: 'right inlane', at: [40.4, 27], radius: 1.2 },
    { name: 'left outlane', at: [1.7, 25], radius: 1.2 },
    { name: 'right outlane', at: [44.3, 25], radius: 1.2 },
  ],
  lanes: [
    { name: 'lane L', from: [16.65, 90], to: [20.35, 90] },
    { name: 'lane A', from: [21.15, 90], to: [24.85, 90] },
    { name: 'lane W', from: [25.65, 90], to: [29.35, 90] },
  ],
  spinners: [{ name: 'spinner', from: [0, 72], to: [6, 72], drag: 0.05, rub: 1 }],
  gates: [{ name: 'shooter gate', from: [46, 78], to: [49.9, 82] }],
  saucers: [{ name: 'cave', at: [36, 66], radius: 1.3, catchSpeed: 180, seconds: 1, kick: [-12, -60] }],
  ramps: [
    {
      name: 'ramp',
      layer: 1,
      entrance: { from: [9.9, 50], to: [12.6, 50] },
      exit: { from: [4.4, 32.5], to: [8, 32.5] },
      slope: {
        points: [
          [8.5, 50],
          [14, 50],
          [14, 62],
          [8.5, 62],
        ],
        gravity: [0, -450],
      },
    },
  ],
  drain: { from: [0, 2], to: [46, 2] },
  ballSave: 10,
  tilt: { nudge: 1, limit: 1.5, warnings: 2 },
  counters: { drops: 0, banks: 0, locks: 0, L: 0, A: 0, W: 0, lit: 0, lamps: 0, extra: 0 },
  module: 'lighthouse',
  rules: [
    { on: ['left bumper', 'right bumper', 'low bumper'], score: 100 },
    { on: ['left sling', 'right sling'], score: 10 },
    { on: ['spinner'], score: 50 },
    { on: ['oil', 'wick'], score: 300, add: { lit: 1 } },
    { on: ['left inlane', 'right inlane'], score: 200 },
    { on: ['left outlane', 'right outlane'], score: 1000 },
    { on: ['ramp'], score: 1500 },
    { on: ['drop 1', 'drop 2', 'drop 3'], score: 500, add: { drops: 1 } },
    {
      on: ['drop 1', 'drop 2', 'drop 3'],
      when: [{ counter: 'drops', min: 3 }],
      score: 5000,
      set: { drops: 0 },
      add: { banks: 1 },
      raise: ['drop 1', 'drop 2', 'drop 3'],
    },
    { on: ['lane L', 'lane A', 'lane W'], score: 400 },
    { on: ['lane L'], set: { L: 1 } },
    { on: ['lane A'], set: { A: 1 } },
    { on: ['lane W'], set: { W: 1 } },
    {
      on: ['lane L', 'lane A', 'lane W'],
      when: [
        { counter: 'L', min: 1 },
        { counter: 'A', min: 1 },
        { counter: 'W', min: 1 },
      ],
      score: 3000,
      set: { L: 0, A: 0, W: 0 },
      multiplier: 2,
    },
    { on: ['cave'], score: 1000 },
    // The first multiball takes one bank of targets, each later one three.
    {
      on: ['cave'],
      when: [
        { counter: 'banks', min: 3 },
        { counter: 'locks', min: 1 },
      ],
      score: 10_000,
      set: { banks: 0 },
      multiball: 3,
      save: 6,
    },
    {
      on: ['cave'],
      when: [
        { counter: 'banks', min: 1 },
        { counter: 'locks', max: 0 },
      ],
      score: 10_000,
      set: { banks: 0, locks: 1 },
      multiball: 3,
      save: 8,
    },
    // One extra ball a game, after the lamp has been lit.
    {
      on: ['cave'],
      when: [
        { counter: 'lamps', min: 1 },
        { counter: 'extra', max: 0 },
      ],
      set: { extra: 1 },
      extraBalls: 1,
    },
  ],
  missions: [
    {
      name: 'light the lamp',
      starts: ['cave'],
      when: [{ counter: 'lit', min: 2 }],
      seconds: 60,
      steps: [
        { on: ['spinner'], times: 10 },
        { on: ['ramp'], times: 2 },
      ],
      score: 25_000,
      set: { lit: 0 },
      add: { lamps: 1 },
    },
    {
      name: 'ride out the storm',
      starts: ['ramp'],
      when: [{ counter: 'lamps', min: 1 }],
      seconds: 60,
      steps: [
        { on: ['left bumper', 'right bumper', 'low bumper'], times: 12 },
        { on: ['drop 1', 'drop 2', 'drop 3', 'oil', 'wick'], times: 4 },
        { on: ['cave'] },
      ],
      score: 75_000,
      set: { lamps: 0 },
      save: 10,
    },
  ],
};

/** [PB-M1.4] Our own tables; also files for people in `tables/`. */
export const TABLES: Readonly<Record<string, Json>> = { classic, learner };
