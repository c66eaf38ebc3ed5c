/** Whether the phrase was typed: case, doubled spaces and full-width letters of an input method do not matter. */
export function phraseTyped(typed: string, phrase: string): boolean {
  return plain(typed) === plain(phrase)
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
