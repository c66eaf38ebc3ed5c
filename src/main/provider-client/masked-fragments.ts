import { mask, type Redactor } from '../platform/security/redact.ts'

/** A prefix of a key this long is not an ordinary word: at the end of a text it is half a key. */
const halfKey = 12

/** Returns an unfinished text without half a key at its end. */
export function withoutHalfKey(redactor: Pick<Redactor, 'openEnd'>, text: string): string {
  const open = redactor.openEnd(text)
  return open < halfKey ? text : text.slice(0, text.length - open) + mask
}

/** A text emitted in fragments, without a key that several of them may form together. */
export interface MaskedFragments {
  add(fragment: string): void
  /** Emits the remaining text; half a key is masked too. */
  end(): void
}

/**
 * Creates an empty text. A possible beginning of a key waits for the next fragment; everything else is emitted at once.
 */
export function createMaskedFragments(
  redactor: Pick<Redactor, 'maskKnown' | 'openEnd'>,
  emit: (fragment: string) => void,
): MaskedFragments {
  let waiting = ''
  const give = (text: string): void => {
    if (text !== '') emit(text)
  }
  return {
    add(fragment) {
      const text = redactor.maskKnown(waiting + fragment)
      const safeLength = text.length - redactor.openEnd(text)
      waiting = text.slice(safeLength)
      give(text.slice(0, safeLength))
    },
    end() {
      const rest = waiting
      waiting = ''
      give(rest.length < halfKey ? rest : mask)
    },
  }
}
