/** Whether the phrase was typed: ignores case, repeated spaces and the full-width letters of an input method. */
export function phraseTyped(typed: string, phrase: string): boolean {
  return plain(typed) === plain(phrase)
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}
