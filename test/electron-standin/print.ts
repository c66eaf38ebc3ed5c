import type { CdpSession } from './cdp.ts'

/** Paper sizes in inches, with the names of `lib/browser/api/web-contents.ts`. */
const papers: Readonly<Record<string, readonly [width: number, height: number]>> = {
  A3: [11.69, 16.54],
  A4: [8.27, 11.69],
  A5: [5.83, 8.27],
  Letter: [8.5, 11],
  Legal: [8.5, 14],
}

/** `webContents.printToPDF` (`lib/browser/print-to-pdf.ts`): margins and paper in inches. */
export async function printToPdf(
  target: Promise<CdpSession>,
  options: Electron.PrintToPDFOptions,
): Promise<Buffer> {
  const paper = typeof options.pageSize === 'object' ? null : papers[options.pageSize ?? 'Letter']
  if (paper === undefined) throw new Error('Invalid pageSize')
  const [paperWidth, paperHeight] = paper ?? [
    (options.pageSize as Electron.Size).width,
    (options.pageSize as Electron.Size).height,
  ]
  const session = await target
  const { data } = await session.send<{ data: string }>('Page.printToPDF', {
    landscape: options.landscape ?? false,
    printBackground: options.printBackground ?? false,
    paperWidth,
    paperHeight,
    marginTop: options.margins?.top ?? 0.4,
    marginBottom: options.margins?.bottom ?? 0.4,
    marginLeft: options.margins?.left ?? 0.4,
    marginRight: options.margins?.right ?? 0.4,
    scale: options.scale ?? 1,
    generateTaggedPDF: options.generateTaggedPDF ?? false,
    generateDocumentOutline: options.generateDocumentOutline ?? false,
    preferCSSPageSize: options.preferCSSPageSize ?? false,
  })
  return Buffer.from(data, 'base64')
}
