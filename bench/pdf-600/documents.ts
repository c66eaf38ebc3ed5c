import { setTimeout as sleep } from 'node:timers/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { BridgeClient } from '../../test/fixtures/bridge-client.ts'
import type { HostProcess } from '../../test/fixtures/host-process.ts'
import { beginPauses, pausesOf } from '../host-pauses.ts'
import { measured, type Row } from '../row.ts'
import { fullPages } from './full-pages.ts'
import { startLayoutService, type LayoutService } from './layout-service.ts'
import { longPdf } from './long-pdf.ts'
import {
  parsed,
  pauseRows,
  prepare,
  readThrough,
  importDocument,
  type ImportedDocument,
} from './main-life.ts'
import { scannedPdf } from './scanned-pdf.ts'
import { worstBlocks, type WorstBlock } from './worst-blocks.ts'

/** Width in points of the pages that contain the worst blocks. */
const worstWidth = 700
const scannedPages = 60
/** Time after which the work that follows parsing is done, in milliseconds. */
const settleMs = 15_000

/** Imported documents, and the pauses their import and parsing caused. */
export interface Library {
  readonly long: ImportedDocument
  readonly worst: ImportedDocument
  readonly worstBlocks: readonly { readonly id: string; readonly block: WorstBlock }[]
  readonly scans: ImportedDocument & { readonly pages: number }
  readonly rows: readonly Row[]
}

/** A server that responds at once with full pages, and with a worst block for each page of its width. */
export function layoutService(): Promise<LayoutService> {
  const pages = fullPages(100)
  let next = 0
  return startLayoutService((place, width) => {
    if (width !== worstWidth) return pages[next++ % pages.length] ?? []
    const block = worstBlocks[place]
    return block ? [block] : []
  })
}

/** Imports the documents and parses them while main's pauses are counted. */
export async function fillLibrary(
  client: BridgeClient,
  { host, service, pages }: { host: HostProcess; service: LayoutService; pages: number },
): Promise<Library> {
  await prepare(client, service)
  const pdf = await longPdf(pages)
  await sleep(5000)
  await beginPauses(host)
  await sleep(10_000)
  const idle = await pausesOf(host)
  const long = await importDocument(client, 'long.pdf', pdf)
  const taken = await pausesOf(host)
  for (let page = 1; page <= pages; page++)
    await client.call('documents.image', { id: long.id, page, width: 160 })
  const pictured = await pausesOf(host)
  await parsed(client, long.id)
  const parse = await pausesOf(host)
  await sleep(settleMs)
  const settled = await pausesOf(host)
  await readThrough(client, long.id, pages)
  const read = await pausesOf(host)
  const rows = measured([
    ...pauseRows(`${pages} pages taken in`, taken, idle),
    ...pauseRows('their small pictures stored', pictured, idle),
    ...pauseRows('parsed and stored', parse, idle),
    ...pauseRows('indexed to the end', settled, idle),
    ...pauseRows('all read, four searches', read, idle),
  ])
  const worst = await importDocument(client, 'worst.pdf', await emptyPdf(worstBlocks.length))
  await parsed(client, worst.id)
  const scans = await importDocument(client, 'scans.pdf', await scannedPdf(scannedPages))
  const { blocks } = await client.call('documents.pages', {
    id: worst.id,
    first: 1,
    last: worstBlocks.length,
  })
  return {
    long,
    worst,
    worstBlocks: worstBlocks.map((block, at) => {
      const found = blocks.find(({ page }) => page === at + 1)
      if (!found) throw new Error(`the library lost ${block.name}`)
      return { id: found.id, block }
    }),
    scans: { ...scans, pages: scannedPages },
    rows,
  }
}

async function emptyPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (let page = 0; page < pages; page++) pdf.addPage([worstWidth, 900])
  return pdf.save()
}
