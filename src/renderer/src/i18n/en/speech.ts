/** Texts spoken with a voice. */
export const speech = {
  speech: {
    kind: 'Speech',
  },
}
