import { speak } from '../local-service/fixtures/audio-samples.ts'
import { makePdf } from '../local-service/fixtures/papers.ts'
import { until } from '../fixtures/until.ts'
import type { Start } from './journey.ts'

/** Sentences of the meeting, about half a minute of speech. */
const meetingText = [
  'Good morning. Let us begin with the plan for the spring release.',
  'The import is finished, but the search index needs one more week.',
  'We decided to move the release to the end of the month.',
  'Please send the report about the library to everybody after the meeting.',
  'How much did we spend on servers in the last quarter?',
  'Twelve percent less than planned.',
].join(' ')

export const meetingTitle = 'Spring planning'
/** A word that is said only in the meeting, and that the on-device engine transcribes. */
export const meetingWord = 'quarter'
export const meetingQuestion = 'What needs one more week?'
export const meetingAnswer = /index/i

export const meetingAudio = (): Buffer => speak(meetingText)

const documentPages = [
  ['Night trains', 'The night train to Vienna leaves at 21:40 from platform 7.'],
  ['Tickets', 'A ticket for the night train costs 89 euro with a bed and 49 euro with a seat.'],
  ['Bicycles', 'A bicycle travels on the night train for 12 euro and needs its own ticket.'],
] as const

export const documentTitle = 'Night trains'
/** A word that is only on the document’s last page, and words next to it. */
export const documentWord = 'travels'
export const documentEnd = 'needs its own ticket'
export const documentQuestion = 'How much does a ticket with a bed cost?'
export const documentAnswer = /89 euro/

/** A PDF with a page for each chapter. */
export const documentPdf = (): Promise<Uint8Array> =>
  makePdf(
    documentPages.map(([title, text]) => ({ write, flow }) => {
      write(title, 72, 700, 20, true)
      flow(text, 72, 650, 440)
    }),
  )

/** Imports the meeting, and waits until it is transcribed. */
export async function importMeeting({ client }: Start): Promise<void> {
  const { id: mediaId } = await client.intake(`${meetingTitle}.wav`, meetingAudio())
  const { id } = (await client.call('meetings.import', { mediaId })).meeting
  await until('The meeting', async () => {
    const { state, completeness } = (await client.call('meetings.get', { id })).meeting
    const { segmentsMs, transcribedMs, waiting } = completeness
    const done = waiting === 0 && segmentsMs > 0 && transcribedMs === segmentsMs
    return state === 'stopped' && done ? true : null
  })
}

/** Imports the document, and waits until it is parsed. */
export async function importDocument({ client }: Start): Promise<void> {
  const { id: mediaId } = await client.intake(`${documentTitle}.pdf`, await documentPdf())
  const { id } = (await client.call('documents.create', { mediaId })).document
  await client.call('documents.parse', {
    id,
    options: { pages: '', crops: false, layoutPictures: false },
  })
  await until('The document', async () => {
    const { versions } = (await client.call('documents.get', { id })).document
    return versions[0]?.state === 'done' ? true : null
  })
}
