/** Longest text of a question, in UTF-16 units: what is longer is attached. */
export const questionChars = 200_000
