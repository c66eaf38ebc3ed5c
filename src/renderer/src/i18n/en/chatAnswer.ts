/** What is around the text of an answer: its code, tables, formulas and marks. */
export const chatAnswer = {
  chatAnswer: {
    source: 'Source {n}',
    table: 'Table',
    code: 'Code',
    copy: 'Copy',
    pictureAway: 'A picture that lies elsewhere is not loaded.',
    formula: {
      long: 'This formula is too long to be drawn.',
      deep: 'This formula grows too large to be drawn.',
      wrong: 'This formula is not understood.',
    },
  },
}
