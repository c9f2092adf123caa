import type { Material, Role } from '@lockstep/kernel';

export type ThemeName = 'dark' | 'light';

/** Colours as the display shows them, 0xrrggbb. Team colours differ in lightness too, so they hold for all common colour blindness. */
export interface Look {
  readonly roles: Readonly<Record<Role, number>>;
  readonly seats: readonly number[];
  readonly pattern: number;
  /** Rocks of a map. */
  readonly stone: number;
  /** Flags of a floor of stone. */
  readonly flag: number;
  readonly sky: number;
  readonly ground: number;
  readonly rim: number;
  readonly floorCentre: number;
  readonly floorEdge: number;
  readonly shadow: number;
  /** Multiplies everything that shines: paper does not. */
  readonly light: number;
  readonly glass: number;
}

export const looks: Readonly<Record<ThemeName, Look>> = {
  dark: {
    roles: {
      teamA: 0xf6a63a,
      teamB: 0x3fc4ea,
      ball: 0xf2f4f8,
      floor: 0x16202f,
      line: 0x8fa9c9,
      wall: 0x9fc3ea,
      goal: 0x9fc3ea,
      hazard: 0xf0605a,
      pickup: 0xa78bfa,
      treasure: 0xffd75e,
      ghost: 0xdfe9f7,
      debug: 0xff66cc,
    },
    seats: [0xf6a63a, 0x3fc4ea],
    pattern: 0x222b3a,
    stone: 0x8b97ab,
    flag: 0xa8a196,
    sky: 0xdfeaff,
    ground: 0x2b3648,
    rim: 0xbcd7ff,
    floorCentre: 0x26344a,
    floorEdge: 0x101826,
    shadow: 0x02050b,
    light: 1,
    glass: 1,
  },
  light: {
    roles: {
      teamA: 0xe08a12,
      teamB: 0x1597c0,
      ball: 0xffffff,
      floor: 0xeef1f5,
      line: 0x7486a0,
      wall: 0x3a5578,
      goal: 0x3a5578,
      hazard: 0xd03a34,
      pickup: 0x7c5ce0,
      treasure: 0xc79200,
      ghost: 0x2b3d57,
      debug: 0xcc2299,
    },
    seats: [0xe08a12, 0x1597c0],
    pattern: 0x27303d,
    stone: 0xaeb8c6,
    flag: 0xf7f3ea,
    sky: 0xffffff,
    ground: 0x9aa7b8,
    rim: 0xffffff,
    floorCentre: 0xfafbfc,
    floorEdge: 0xdfe5ec,
    shadow: 0x25324a,
    light: 0.55,
    glass: 0.8,
  },
};

export function colourOf(look: Look, { role, seat, colour }: Material): number {
  if (colour !== undefined) return colour.reduce((sum, part) => sum * 256 + Math.round(part * 255), 0);
  const own = role === 'goal' && seat !== undefined ? look.seats[seat % look.seats.length] : undefined;
  return own ?? look.roles[role];
}
