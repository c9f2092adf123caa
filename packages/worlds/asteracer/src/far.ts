import type { Shell } from './rules.ts';

/** The exact path: sums of radii beyond what doubles can square. Arguments are whole numbers that doubles hold. */

/** [AR-3.1] Whether two circles whose centres are (dx, dy) apart and whose radii sum up to `reach` are in contact. */
export function farContact(dx: number, dy: number, reach: number, shell: Shell): boolean {
  const squared = BigInt(dx) * BigInt(dx) + BigInt(dy) * BigInt(dy);
  const R = BigInt(reach);
  if (shell === 'inside') return squared < R * R;
  if (shell === 'touching') return squared <= R * R;
  return squared < (R + 1n) * (R + 1n);
}

/** [AR-2.4] (push_by * vn) / distance along one axis; `along` is that axis's part of vn, `across` the other's. */
export function farPush(along: number, across: number, reach: number, truncates: boolean): number {
  const vn = BigInt(along);
  const distance = isqrtOf(vn * vn + BigInt(across) * BigInt(across));
  const product = (distance - BigInt(reach)) * vn;
  const quotient = product / distance; // towards zero
  const floors = !truncates && product < 0n && quotient * distance !== product;
  return Number(floors ? quotient - 1n : quotient);
}

/** The greatest whole a with a² ≤ n: Newton's steps down from a power of two above the root. */
export function isqrtOf(n: bigint): bigint {
  if (n < 2n) return n;
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
