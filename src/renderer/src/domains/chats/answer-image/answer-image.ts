import { withoutMarks } from '../../../../../shared/chats/references.ts'
import { coloredCode } from '../../../lib/markdown/stream/color-code.ts'
import { languageNamed } from '../../../lib/markdown/stream/code-languages.ts'
import { finishedAnswer } from '../../../lib/markdown/stream/finished-fragments.ts'
import { installKatexSheet } from '../../../lib/markdown/katex-sheet.ts'
import '../../../lib/markdown/content.css'
import '../../../lib/markdown/stream/answer.css'
import { answerKit } from '../../../lib/markdown/stream/stream-context.ts'
import { dataUrl, ownSheet } from './image-sheet.ts'

/** Width of an image and its margin, in CSS pixels. */
const width = 760
const edge = 24
/** Maximum side length that browsers draw, in pixels. */
const maxHeight = 16_000
/** Maximum number of characters in an image: more would exceed {@link maxHeight} in any case. */
const maxLetters = 100_000
/** Milliseconds to wait for syntax colors; then code stays plain. */
const colorsMs = 6000

/** Error for an answer that is too long for one image. */
export class AnswerTooLongError extends Error {}

/**
 * Renders a whole answer as a PNG with the current theme of the page: its formulas, tables and colored code. Throws
 * {@link AnswerTooLongError}, or an Error if the browser cannot draw it.
 */
export async function renderAnswerImage(text: string, mediaBase: string): Promise<Blob> {
  if (text.length > maxLetters) throw new AnswerTooLongError()
  installKatexSheet()
  const host = document.createElement('div')
  host.className = 'md-answer'
  host.inert = true
  host.setAttribute('aria-hidden', 'true')
  const { style } = host
  style.cssText = `position:fixed;left:-10000px;top:0;box-sizing:border-box;width:${width}px;padding:${edge}px`
  const block = document.createElement('div')
  block.className = 'md'
  const how = { kit: answerKit(), mediaBase, links: 'tame', formulas: 'drawn' } as const
  block.append(finishedAnswer(withoutMarks(text), how))
  host.append(block)
  document.body.append(host)
  try {
    await Promise.all([colored(block), embedded(block)])
    await document.fonts.ready
    return await drawn(host)
  } finally {
    host.remove()
  }
}

/** Formats code in frames with syntax colors; all of it is inside the image. */
async function colored(block: HTMLElement): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, colorsMs))
  const all = [...block.querySelectorAll('pre')].map(async (pre) => {
    const frame = document.createElement('div')
    frame.className = 'md-code'
    pre.replaceWith(frame)
    frame.append(pre)
    pre.style.whiteSpace = 'pre-wrap'
    pre.style.overflowWrap = 'anywhere'
    const code = pre.querySelector('code')
    const language = /(?:^| )language-(\S+)/.exec(code?.className ?? '')?.[1] ?? ''
    if (!code || languageNamed(language) === null) return
    const lines = coloredCode(code)
    await new Promise<void>((resolve) => {
      answerKit().colors.color(lines.text, language, (some, last) => {
        for (const _ of lines.color(some)) if (!code.isConnected) break
        if (last) resolve()
      })
    })
  })
  await Promise.race([Promise.all(all), late])
}

/** Embeds images of the app; an unavailable one is replaced by its text. */
async function embedded(block: HTMLElement): Promise<void> {
  const all = [...block.querySelectorAll('img')].map(async (image) => {
    const data = await dataUrl(image.src)
    if (data === null) return image.replaceWith(image.alt)
    image.loading = 'eager'
    image.src = data
    await image.decode().catch(() => image.replaceWith(image.alt))
  })
  await Promise.all(all)
}

async function drawn(host: HTMLElement): Promise<Blob> {
  const height = Math.ceil(host.getBoundingClientRect().height)
  if (height > maxHeight) throw new AnswerTooLongError()
  const scale = height * 2 > maxHeight ? 1 : 2
  const css = await ownSheet(host)
  const { style } = host
  const page = getComputedStyle(document.documentElement)
  const body = getComputedStyle(document.body)
  style.position = 'static'
  style.color = body.color
  style.font = body.font
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" style="font-size:${page.fontSize};color-scheme:${isDark() ? 'dark' : 'light'}"><style>${escaped(css)}</style><foreignObject width="100%" height="100%">${xml(host)}</foreignObject></svg>`
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('The browser cannot draw images')
  pen.fillStyle = ground()
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image is too large'))))
  })
}

/** Characters that are not allowed in XML, and lone surrogates. */
const notXml = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu
const xml = (element: Element): string =>
  new XMLSerializer().serializeToString(element).replaceAll(notXml, '')
const escaped = (css: string): string =>
  css.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(notXml, '')

/** Returns the background color as resolved by the root element. */
function ground(): string {
  const probe = document.createElement('i')
  probe.style.cssText = 'position:fixed;background:var(--surface)'
  document.body.append(probe)
  const color = getComputedStyle(probe).backgroundColor
  probe.remove()
  return color
}
function isDark(): boolean {
  const scheme = getComputedStyle(document.documentElement).colorScheme
  if (scheme === 'dark' || scheme === 'light') return scheme === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}
