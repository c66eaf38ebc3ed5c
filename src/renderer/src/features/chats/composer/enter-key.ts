/** What is read of a key press. `timeStamp` is the event's own, in milliseconds. */
export type KeyPress = Pick<
  KeyboardEvent,
  | 'key'
  | 'keyCode'
  | 'isComposing'
  | 'shiftKey'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'repeat'
  | 'timeStamp'
>

/** Some systems tell of the key that confirms a word only after the word has ended; that soon, in milliseconds, it is still the same press. */
const samePressMs = 120

/**
 * Knows whether a key belongs to an input method that is choosing a word: while it composes, by the code 229 that stands for such keys, and
 * when the key that ended the word is told after its end.
 */
export function createComposing() {
  let composing = false
  let endedAt: number | null = null
  return {
    start(): void {
      composing = true
      endedAt = null
    },
    end({ timeStamp }: Pick<KeyboardEvent, 'timeStamp'>): void {
      composing = false
      endedAt = timeStamp
    },
    /** The key that ended the word was let go: the next press is one of its own. */
    released(): void {
      endedAt = null
    },
    /** The field lost the focus, and an input method its word with it. */
    left(): void {
      composing = false
      endedAt = null
    },
    owns(press: Pick<KeyPress, 'isComposing' | 'keyCode' | 'timeStamp'>): boolean {
      if (composing || press.isComposing || press.keyCode === 229) return true
      const late = endedAt !== null && press.timeStamp - endedAt < samePressMs
      endedAt = null
      return late
    },
  }
}

/** What an Enter does: sends, begins a line, or nothing of the composer's; with the command key it sends in either way of writing. */
export function enterDoes(
  { key, shiftKey, ctrlKey, metaKey, altKey, repeat }: KeyPress,
  enterSends: boolean,
): 'send' | 'line' | null {
  if (key !== 'Enter' || altKey) return null
  const sends = ctrlKey || metaKey || shiftKey !== enterSends
  // A key that is held down has said "send" already.
  if (sends && repeat) return null
  return sends ? 'send' : 'line'
}
