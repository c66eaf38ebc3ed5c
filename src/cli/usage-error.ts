/** An invalid command line; the message says what to change. Never contains a value that was typed, which may be a key. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
