/** Used properties of a key press. `timeStamp` is that of the event, in milliseconds. */
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

/** Milliseconds after an IME composition within which a key still counts as its confirming press: some systems report it late. */
const samePressMs = 120

/**
 * Determines whether a key belongs to an IME composition: while it composes, by key code 229, and if the key that ended the
 * composition is reported after its end.
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
    /** The key that ended the composition was released: the next press is a separate one. */
    released(): void {
      endedAt = null
    },
    /** The field lost the focus, which ends the composition. */
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

/** Returns the action of Enter: send, insert a line, or none; with the command key it sends in either mode. */
export function enterDoes(
  { key, shiftKey, ctrlKey, metaKey, altKey, repeat }: KeyPress,
  enterSends: boolean,
): 'send' | 'line' | null {
  if (key !== 'Enter' || altKey) return null
  const sends = ctrlKey || metaKey || shiftKey !== enterSends
  // A held key has already sent the question.
  if (sends && repeat) return null
  return sends ? 'send' : 'line'
}
