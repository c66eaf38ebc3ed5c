/** What is around the text of an answer: its code, tables, formulas and marks. */
export const chatAnswer = {
  chatAnswer: {
    source: 'Source {n}',
    table: 'Table',
    code: 'Code',
    copy: 'Copy',
    copied: 'Copied',
    fold: 'Fold',
    diagram: {
      name: 'Diagram',
      source: 'Source',
      long: 'This diagram is too long to be drawn.',
      reach:
        'This diagram asks for things from elsewhere, or for a look of its own: it is not drawn.',
      wrong: 'This diagram is not understood.',
    },
    pictureAway: 'A picture that lies elsewhere is not loaded.',
    formula: {
      long: 'This formula is too long to be drawn.',
      deep: 'This formula grows too large to be drawn.',
      wrong: 'This formula is not understood.',
    },
  },
}
