/** How much of a block is made into HTML. What is more is shown as its source, with a word why. */
export const limits = {
  /** Characters of a block, at most. */
  chars: 400_000,
  /** Elements deep; the browser itself stops at 512. */
  depth: 100,
  /** Begun tags of a block. */
  tags: 12_000,
  /** Formulas of a block. */
  formulas: 2000,
  /** Characters of one formula. */
  formulaChars: 4000,
  /** Braces and roots of a formula inside each other. */
  formulaDepth: 40,
  /** Elements that one formula may grow into, and how deep they may lie. */
  formulaNodes: 5000,
  formulaLevels: 200,
  /** Letters from which on a formula is drawn as MathML alone, and formulas of a block from which on all of them are. */
  smallChars: 400,
  smallFormulas: 30,
  /** Expansions of macros in one formula. */
  expansions: 200,
  /** Largest size a formula may give to a rule or a space, in em. */
  formulaSize: 20,
  /** Characters of a picture that is written out in the text. */
  imageChars: 2_000_000,
  /** Pixels of it: unpacked each takes four bytes. */
  imagePixels: 25_000_000,
  /** Estimated milliseconds that a block may take without being asked for. */
  milliseconds: 40,
} as const
