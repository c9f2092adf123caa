/** [AR-3.1] Which squared distances count as contact: d² < R², d² ≤ R², or isqrt(d²) ≤ R. */
export type Shell = 'inside' | 'touching' | 'root';

export interface Rules {
  /** [AR-3.2] Divisions go towards zero; otherwise they floor. */
  readonly truncates: boolean;
  readonly contact: Shell;
  readonly goal: Shell;
}

/** [AR-3.3] The document's text, and the programs of the public game by year. */
export const RULE_NAMES = ['document', 'py2023', 'cpp2023', 'v2025'] as const;
export type RuleName = (typeof RULE_NAMES)[number];

export const RULE_SETS: Readonly<Record<RuleName, Rules>> = {
  document: { truncates: false, contact: 'touching', goal: 'inside' },
  py2023: { truncates: false, contact: 'touching', goal: 'touching' },
  cpp2023: { truncates: true, contact: 'touching', goal: 'touching' },
  v2025: { truncates: true, contact: 'root', goal: 'root' },
};

/** [AR-2.1] "the maximal positive value of the instruction type": int8. */
export const MAX_INSTRUCTION = 127;
/** [AR-2.2] "Collisions are resolved in 1 to 5 subticks." */
export const MAX_SUBTICKS = 5;

/** [AR-1.1] PosType: int32, SizeType: uint32. */
export const MIN_POS = -0x8000_0000;
export const MAX_POS = 0x7fff_ffff;
export const MAX_SIZE = 0xffff_ffff;
