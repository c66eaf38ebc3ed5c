import { createAnswerKit, type AnswerKit } from '../stream/stream-context.ts'

let kit: AnswerKit | null = null

/** Returns the parser and sanitizer shared by all answers of the page; created when the first one is shown. */
export const answerKit = (): AnswerKit => (kit ??= createAnswerKit())
