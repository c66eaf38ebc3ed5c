/** Limits for converting a block to HTML. Larger blocks are shown as source, with the reason. */
export const limits = {
  /** Maximum characters of a block. */
  chars: 400_000,
  /** Maximum element depth; the browser itself stops at 512. */
  depth: 100,
  /** Maximum opening tags of a block. */
  tags: 12_000,
  /** Maximum formulas of a block. */
  formulas: 2000,
  /** Maximum characters of one formula. */
  formulaChars: 4000,
  /** Maximum nesting of braces and roots in a formula. */
  formulaDepth: 40,
  /** Maximum elements of one drawn formula, and their maximum depth. */
  formulaNodes: 5000,
  formulaLevels: 200,
  /** Characters above which a formula is drawn as MathML alone, and formulas of a block above which all of them are. */
  smallChars: 400,
  smallFormulas: 30,
  /** Maximum macro expansions in one formula. */
  expansions: 200,
  /** Maximum size of a rule or a space in a formula, in em. */
  formulaSize: 20,
  /** Maximum characters of an image embedded in the text. */
  imageChars: 2_000_000,
  /** Maximum pixels of it: each takes four bytes when decoded. */
  imagePixels: 25_000_000,
  /** Maximum estimated milliseconds of a block that is drawn automatically. */
  milliseconds: 40,
} as const
