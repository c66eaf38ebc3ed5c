import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { eventually } from '../fixtures/eventually.ts'

let streams = 0

/** Runs an operation of the service to its end, as any page does. */
export async function operate(
  client: BridgeClient,
  operation: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  const started = await client.call('runs.start', {
    operation,
    input,
    streamId: `retrieval-desk-${(streams += 1)}`,
  })
  const run = await eventually(async () => {
    const now = await client.call('runs.get', { id: started.id })
    if (now.state === 'running') throw new Error('it runs')
    return now
  })
  if (run.error) throw new Error(run.error.message)
  return run.value
}

const chapters = [
  ['Night trains', 'The night train to Vienna leaves at 21:40 from platform 7.'],
  ['Tickets', 'A ticket for the night train costs 89 euro with a bed and 49 euro with a seat.'],
  ['Bicycles', 'A bicycle travels on the night train for 12 euro and needs a ticket of its own.'],
] as const

/** A paper of one page for each chapter. */
export async function paper(): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const [title, line] of chapters) {
    const page = pdf.addPage([595, 842])
    page.drawText(title, { x: 72, y: 740, size: 22, font })
    page.drawText(line, { x: 72, y: 690, size: 12, font })
  }
  return Buffer.from(await pdf.save())
}

const notes =
  '# Dumplings\n\nDumplings are boiled for six minutes in salted water.\n\n# Soup\n\nThe soup of the day costs 4 euro.\n\n# Parking\n\nA parking place in the garage costs 12 euro a day.\n'

/** A base of this computer with a PDF that is in the Library, too, and a text: embedded. */
export async function travelBase(client: BridgeClient): Promise<string> {
  const made = (await operate(client, 'knowledge.create', { name: 'Travel', embeddingId: 3 })) as {
    id: string
  }
  const pdf = await client.intake('trains.pdf', await paper())
  const text = await client.intake('notes.md', Buffer.from(notes))
  await client.call('documents.create', { mediaId: pdf.id })
  await operate(client, 'documents.upload', {
    knowledgeId: made.id,
    files: [pdf.id],
    knowledgeType: 6,
  })
  await operate(client, 'documents.upload', {
    knowledgeId: made.id,
    files: [text.id],
    knowledgeType: 1,
  })
  await eventually(async () => {
    const listed = (await operate(client, 'documents.list', { knowledgeId: made.id })) as {
      documents: readonly { state: string }[]
    }
    if (listed.documents.length < 2 || listed.documents.some(({ state }) => state !== 'done'))
      throw new Error('it is embedded')
  })
  return made.id
}
