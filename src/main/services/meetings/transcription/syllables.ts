/** Compares Chinese characters by their pronunciation. */
export interface Syllables {
  /** 0 for the same syllable, 0.5 for one that many speakers do not distinguish (zh and z, n and l, in and ing), otherwise 1. */
  apart(a: string, b: string): number
}

interface Syllable {
  readonly exact: string
  readonly loose: string
}

/** Loads the pinyin tables, which takes a moment the first time. */
export async function createSyllables(): Promise<Syllables> {
  const { pinyin } = await import('pinyin-pro')
  const syllables = new Map<string, Syllable>()
  const syllableOf = (character: string): Syllable => {
    const known = syllables.get(character)
    if (known) return known
    const exact = /\p{sc=Han}/u.test(character) ? pinyin(character, { toneType: 'none' }) : ''
    const syllable = { exact, loose: looseOf(exact) }
    syllables.set(character, syllable)
    return syllable
  }
  return {
    apart(a, b) {
      const one = syllableOf(a)
      const other = syllableOf(b)
      if (one.exact === '' || other.exact === '') return 1
      if (one.exact === other.exact) return 0
      return one.loose === other.loose ? 0.5 : 1
    },
  }
}

/** The syllable without distinctions that accents blur. */
const looseOf = (syllable: string): string =>
  syllable
    .replace(/^([zcs])h/, '$1')
    .replace(/^[nr]/, 'l')
    .replace(/^hu(?=[aoe])/, 'f')
    .replace(/([aei])ng$/, '$1n')
