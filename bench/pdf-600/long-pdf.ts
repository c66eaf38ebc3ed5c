import { PDFDocument, StandardFonts, rgb } from '@cantoo/pdf-lib'

/** Words used to fill pages; identical in every run. */
const words =
  'record transcript voice document page block formula table figure margin column reader citation passage library search engine network version answer'.split(
    ' ',
  )

/** A PDF of text pages with rules and colored bars, each page marked with its number; no two are the same. */
export async function longPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.TimesRoman)
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold)
  let seed = 7
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595, 842])
    page.drawText(`Page ${number}`, { x: 60, y: 770, size: 26, font: bold })
    for (let line = 0; line < 42; line++) {
      const text = Array.from({ length: 11 }, () => words[random(words.length)] ?? '').join(' ')
      page.drawText(text, { x: 60, y: 730 - line * 15, size: 10.5, font })
    }
    for (let bar = 0; bar < 8; bar++) {
      page.drawRectangle({
        x: 60 + bar * 58,
        y: 50,
        width: 40,
        height: 10 + random(40),
        color: rgb(random(255) / 255, random(255) / 255, random(255) / 255),
      })
    }
  }
  return pdf.save({ useObjectStreams: true })
}
