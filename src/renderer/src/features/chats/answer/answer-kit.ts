import { createAnswerKit, type AnswerKit } from '../../../markdown/stream/stream-context.ts'

let kit: AnswerKit | null = null

/** What all answers of the page are read and cleaned with; built when the first one is shown. */
export const answerKit = (): AnswerKit => (kit ??= createAnswerKit())
