/** The command line was not understood; the message says what to change. Never holds a value that was typed, which may be a key. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
