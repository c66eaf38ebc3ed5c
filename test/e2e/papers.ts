import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { makePdf } from '../local-service/fixtures/papers.ts'
import type { DroppedFile } from './gestures.ts'

/** Words of a document, and the only page that contains them. */
export interface Probe {
  readonly page: number
  readonly words: string
}

/** Test file with its known facts. */
export interface Paper {
  readonly file: DroppedFile
  /** Whether it is the sample itself, or a generated substitute because the samples are missing. */
  readonly made: boolean
}

/** Number of pages of the long document: more than the provider accepts in one request. */
export const longPages = 117
/** Password of the locked document. */
export const rightPassword = 'openpassword'

/** Returns the sample of this name, or its generated substitute: the checks are the same, and the choice is printed. */
async function paper(
  name: string,
  type: string,
  make: () => Promise<Uint8Array> | Uint8Array,
): Promise<Paper> {
  const path = resolve('../shared/samples', name)
  const made = !existsSync(path)
  if (made) console.log(`The sample ${name} is absent: a file made in its likeness is used.`)
  return { file: { name, type, bytes: made ? await make() : await readFile(path) }, made }
}

const shipOf = (page: number): string => `Ship ${page} left its harbour before the ice came`

/** Returns a book over the page limit, and words that each occur on only one of its pages. */
export async function longPaper(): Promise<Paper & { readonly probes: readonly Probe[] }> {
  const long = await paper('GeoTopo-komprimiert.pdf', 'application/pdf', () =>
    makePdf(
      Array.from({ length: longPages }, (_, at) => ({ write, flow }) => {
        write(`Voyage ${at + 1}`, 72, 700, 20, true)
        flow(`${shipOf(at + 1)}, and its log was kept by lamp light.`, 72, 650, 400)
        flow('A quiet sea lay around it for many days and nobody wrote home.', 72, 600, 400)
      }),
    ),
  )
  const probes = long.made
    ? [2, 47, 73, 91, 117].map((page) => ({ page, words: shipOf(page) }))
    : [
        { page: 2, words: 'Vielen Dank auch an Frau Lenz' },
        { page: 47, words: 'wenn sie zusammenhängend ist' },
        { page: 73, words: 'in der Situation von §4' },
        { page: 91, words: 'im Folgenden wird die Aussage nur' },
        { page: 117, words: 'Vektorprodukt' },
      ]
  return { ...long, probes }
}

/** Returns a document that opens only with `rightPassword`, and words of it. */
export async function lockedPaper(): Promise<Paper & { readonly words: string }> {
  const words = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr'
  const locked = await paper('libreoffice-writer-password.pdf', 'application/pdf', () =>
    makePdf([({ flow }) => void flow(`${words}, sed diam nonumy.`, 72, 700, 400)], (pdf) =>
      pdf.encrypt({ userPassword: rightPassword, ownerPassword: 'another' }),
    ),
  )
  return { ...locked, words }
}

/** Returns a photo without text. */
export const photoPaper = (): Promise<Paper> =>
  paper('image.jpg', 'image/jpeg', () => {
    const canvas = createCanvas(300, 200)
    const context = canvas.getContext('2d')
    const sky = context.createLinearGradient(0, 0, 300, 200)
    sky.addColorStop(0, '#2a6fb0')
    sky.addColorStop(1, '#d8a24a')
    context.fillStyle = sky
    context.fillRect(0, 0, 300, 200)
    return canvas.toBuffer('image/jpeg')
  })

/** Returns a two-column document, and the beginnings of the paragraphs of its second page in reading order. */
export async function columnsPaper(): Promise<Paper & { readonly starts: readonly string[] }> {
  const starts = ['lacus vel', 'Suspendisse vel', 'Sed commodo', 'Pellentesque', 'Morbi', 'luctus']
  const columns = await paper('multicolumn.pdf', 'application/pdf', () =>
    makePdf([
      ({ flow }) => void flow('A first page stands before the columns.', 72, 700, 460),
      ({ flow }) => {
        for (const [at, start] of starts.entries()) {
          const right = at >= 3
          const top = 700 - (at % 3) * 160
          const words = 'the keeper of the lamp wrote one letter a day and sent none of them. '
          flow(`${start} ${words.repeat(3)}`, right ? 326 : 72, top, 220)
        }
      },
    ]),
  )
  return { ...columns, starts }
}
