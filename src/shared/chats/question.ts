/** Maximum length of a question in UTF-16 units; longer text is attached. */
export const questionChars = 200_000
