/** Labels inside an answer: code, tables, diagrams, formulas and citations. */
export const chatAnswer = {
  chatAnswer: {
    source: 'Source {n}',
    playFrom: 'Play from {time}',
    table: 'Table',
    code: 'Code',
    copy: 'Copy',
    copied: 'Copied',
    fold: 'Collapse',
    diagram: {
      name: 'Diagram',
      source: 'Source',
      long: 'Diagram too long to display',
      reach: 'Can’t display this diagram: unsupported external content or styles',
      wrong: 'Can’t display this diagram',
    },
    imageAway: 'External images aren’t loaded.',
    formula: {
      long: 'Formula too long to display',
      deep: 'Formula too large to display',
      wrong: 'Can’t display this formula',
    },
  },
}
