import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { createCanvas } from '@napi-rs/canvas'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { eventually } from '../fixtures/eventually.ts'

let streams = 0

/** Runs an operation of the API to its end, as any page does. */
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

/** Caption below the image of the document. */
export const caption = 'Figure 1. The night train in the mountains'

/** Draws an image of hills. */
function drawn(): Buffer {
  const canvas = createCanvas(480, 300)
  const context = canvas.getContext('2d')
  context.fillStyle = '#203050'
  context.fillRect(0, 0, 480, 300)
  context.fillStyle = '#d8a030'
  for (const [x, height] of [
    [60, 140],
    [200, 210],
    [340, 120],
  ] as const) {
    context.beginPath()
    context.moveTo(x - 90, 300)
    context.lineTo(x, 300 - height)
    context.lineTo(x + 90, 300)
    context.fill()
  }
  return canvas.toBuffer('image/png')
}

/** Creates a document with one page for each chapter, with an image on the second. */
export async function paper(): Promise<Buffer> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const image = await pdf.embedPng(drawn())
  for (const [title, line] of chapters) {
    const page = pdf.addPage([595, 842])
    page.drawText(title, { x: 72, y: 740, size: 22, font })
    page.drawText(line, { x: 72, y: 690, size: 12, font })
    if (title !== 'Tickets') continue
    page.drawImage(image, { x: 72, y: 420, width: 320, height: 200 })
    page.drawText(caption, { x: 72, y: 395, size: 11, font })
  }
  return Buffer.from(await pdf.save())
}

const notes =
  '# Dumplings\n\nDumplings are boiled for six minutes in salted water.\n\n# Soup\n\nThe soup of the day costs 4 euro.\n\n# Parking\n\nA parking place in the garage costs 12 euro a day.\n'

/** Creates an embedded on-device knowledge base with a PDF that is also in the Library, and a text. */
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
    parseImages: true,
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
