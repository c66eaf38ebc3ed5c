import { createCanvas } from '@napi-rs/canvas'
import { PDFDocument } from '@cantoo/pdf-lib'

/** Pixels of an A4 page at 200 dpi. */
const [width, height] = [1654, 2339]

/** A PDF of scans: each page is one JPEG of 200 dpi, gray noise with lines; no two are the same. */
export async function scannedPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (let number = 1; number <= pages; number++) {
    const canvas = createCanvas(width, height)
    const context = canvas.getContext('2d')
    context.fillStyle = '#f4f1ea'
    context.fillRect(0, 0, width, height)
    context.fillStyle = '#222'
    context.font = '34px sans-serif'
    for (let line = 0; line < 48; line++)
      context.fillText(
        `Page ${number}, line ${line}: ${'scanned words '.repeat(5)}`,
        120 + ((line * number) % 9),
        140 + line * 44,
      )
    const image = await pdf.embedJpg(await canvas.encode('jpeg', 82))
    pdf.addPage([595, 842]).drawImage(image, { x: 0, y: 0, width: 595, height: 842 })
  }
  return pdf.save()
}
