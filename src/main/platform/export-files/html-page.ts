import { createHash } from 'node:crypto'
import { AppError } from '../../errors.ts'
import { cleanText, escapeHtml } from './clean.ts'
import type { ExportLanguage } from './export-labels.ts'

/**
 * Returns the beginning of a page that needs no network and runs nothing, up to its body: its content security policy allows
 * only its own style, and with `images` embedded images.
 */
export function beginPage(page: {
  readonly title: string
  readonly language: ExportLanguage
  readonly style: string
  readonly images?: boolean
}): string {
  const hash = createHash('sha256').update(page.style).digest('base64')
  const images = page.images === true ? ' img-src data:;' : ''
  const policy = `default-src 'none';${images} style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="${page.language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(cleanText(page.title))}</title>
<style>${page.style}</style>
</head>
<body>
`
}

/** End of a page that {@link beginPage} began. */
export const pageEnd = '</body>\n</html>\n'

/** Returns the PDF of a page that an export wrote. Throws NOT_IMPLEMENTED where the browser prints. */
export async function printedPage(
  printPdf: ((htmlPath: string) => Promise<Uint8Array>) | undefined,
  htmlPath: string,
): Promise<Uint8Array> {
  if (!printPdf)
    throw new AppError('NOT_IMPLEMENTED', 'This host does not print. Print in the browser')
  return printPdf(htmlPath)
}
