import { mask } from '../security/redact.ts'
import type { Redactor } from '../security/redact.ts'

/** So much of the beginning of a key is no ordinary word: where nothing follows it, it is half a key. */
const halfKey = 12

/** A text that may go on, without half a key at its end. */
export function withoutHalfKey(redactor: Pick<Redactor, 'openEnd'>, text: string): string {
  const open = redactor.openEnd(text)
  return open < halfKey ? text : text.slice(0, text.length - open) + mask
}

/** A text that is told in pieces, without the key that several of them may make together. */
export interface MaskedFragments {
  add(fragment: string): void
  /** Tells what still waited; half a key is masked too. */
  end(): void
}

/** Starts a text. What may be the beginning of a key waits for the next piece; all else is told at once. */
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
