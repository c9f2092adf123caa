import type { ThemeName } from '../theme.ts';

/** Colours of a machine: by night it glows, by day it is print on paper. */
export interface Look {
  readonly dark: boolean;
  readonly field: readonly [middle: string, edge: string];
  readonly art: string;
  readonly frame: string;
  readonly shade: string;
  readonly solid: string;
  readonly ink: string;
  readonly dim: string;
  readonly materials: Readonly<Record<string, string>>;
  readonly plain: string;
  readonly bumper: string;
  readonly sling: string;
  readonly target: string;
  readonly lamp: string;
  readonly unlit: string;
  readonly spinner: string;
  readonly saucer: string;
  readonly ramp: string;
  readonly flipper: readonly [body: string, rim: string];
  readonly ball: readonly [shine: string, body: string, edge: string];
  readonly trail: string;
  readonly ghost: string;
  readonly bad: string;
  readonly good: string;
  readonly accent: string;
  readonly sensor: string;
}

export const looks: Readonly<Record<ThemeName, Look>> = {
  dark: {
    dark: true,
    field: ['#1b2a4a', '#0a0f1d'],
    art: '#6f9bff',
    frame: '#05070d',
    shade: 'rgb(0 0 0 / 55%)',
    solid: '#17233c',
    ink: '#e6edf7',
    dim: '#93a3ba',
    materials: { wood: '#5f7fb4', metal: '#c3d5f2', rubber: '#ff9a6b', guide: '#57cbff', plastic: '#9fe3c0', flipper: '#f6a63a' },
    plain: '#9fc3ea',
    bumper: '#b79bff',
    sling: '#ff9a6b',
    target: '#5ee0a0',
    lamp: '#ffd166',
    unlit: '#34425e',
    spinner: '#57cbff',
    saucer: '#ff7aa8',
    ramp: '#57cbff',
    flipper: ['#f6a63a', '#fff1d6'],
    ball: ['#ffffff', '#b9c6dc', '#46536b'],
    trail: '#9fd0ff',
    ghost: '#8794ab',
    bad: '#ff6b62',
    good: '#58d68d',
    accent: '#8fb8ff',
    sensor: '#ff66cc',
  },
  light: {
    dark: false,
    field: ['#fffdf7', '#e6ebf2'],
    art: '#2458b8',
    frame: '#c5ceda',
    shade: 'rgb(37 50 74 / 22%)',
    solid: '#dfe5ee',
    ink: '#17202e',
    dim: '#5a6a80',
    materials: { wood: '#5b6f8f', metal: '#7d8ca3', rubber: '#d2571f', guide: '#0b7ea3', plastic: '#137a43', flipper: '#b56a00' },
    plain: '#3a5578',
    bumper: '#6d4ad6',
    sling: '#d2571f',
    target: '#12905a',
    lamp: '#e09600',
    unlit: '#c9d2de',
    spinner: '#0b7ea3',
    saucer: '#c2255c',
    ramp: '#0b7ea3',
    flipper: ['#e08a12', '#7a4700'],
    ball: ['#ffffff', '#aeb8c6', '#4c586b'],
    trail: '#2458b8',
    ghost: '#8a97a8',
    bad: '#c02a22',
    good: '#137a43',
    accent: '#2458b8',
    sensor: '#b5178a',
  },
};
