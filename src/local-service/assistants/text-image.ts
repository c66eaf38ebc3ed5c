import type { SKRSContext2D } from '@napi-rs/canvas'

/** Fonts in fallback order: Latin and Chinese fonts of common systems. */
export const fontFamilies =
  '"Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "DejaVu Sans", Arial, sans-serif'

/** Maximum number of characters in a line of any image. */
const maxLineChars = 400

/**
 * Wraps a text to lines that fit a width, at spaces or between Chinese characters; at most `most` lines, the last one cut with
 * `…`.
 */
export function wrapped(
  canvas: Pick<SKRSContext2D, 'measureText'>,
  text: string,
  width: number,
  maxLines: number,
): readonly string[] {
  const fits = (line: string): boolean => canvas.measureText(line).width <= width
  const lines: string[] = []
  // Measuring is slow, and later text is not shown.
  for (const paragraph of text.slice(0, (maxLines + 1) * maxLineChars).split('\n')) {
    let line = ''
    for (const token of paragraph.match(/\p{Script=Han}|[^\s\p{Script=Han}]+|\s+/gu) ?? []) {
      if (fits(line + token) || line === '') line += token
      else {
        lines.push(line.trim())
        line = token.trim()
      }
      while (!fits(line) && line.length > 1) {
        const cut = cutPoint(line, fits)
        lines.push(line.slice(0, cut))
        line = line.slice(cut)
      }
    }
    lines.push(line.trim())
  }
  const shown = lines.filter(Boolean)
  if (shown.length <= maxLines) return shown
  return shown.slice(0, maxLines).with(maxLines - 1, `${(shown[maxLines - 1] ?? '').slice(0, -1)}…`)
}

/** Number of UTF-16 units of a word without spaces that fit, at least one character and never half of one. */
function cutPoint(line: string, fits: (line: string) => boolean): number {
  let end = 0
  for (const character of line) {
    if (end > 0 && !fits(line.slice(0, end + character.length))) return end
    end += character.length
  }
  return end
}

/** Color of a shape, derived from the text of the image, so that the same text produces the same image. */
function hueOf(text: string, salt: number): number {
  let hash = 2_166_136_261 + salt
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return hash % 360
}

/** Draws an image of a text: colored shapes and the text itself. PNG. Sizes in pixels. */
export async function drawTextImage(
  words: string,
  size: { readonly width: number; readonly height: number } = { width: 1024, height: 1024 },
): Promise<Uint8Array> {
  const { width, height } = size
  // A native module of some thirty megabytes, needed by few requests.
  const { createCanvas } = await import('@napi-rs/canvas')
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  const sky = pen.createLinearGradient(0, 0, width, height)
  sky.addColorStop(0, `hsl(${hueOf(words, 1)} 60% 88%)`)
  sky.addColorStop(1, `hsl(${hueOf(words, 2)} 60% 78%)`)
  pen.fillStyle = sky
  pen.fillRect(0, 0, width, height)
  for (let i = 0; i < 6; i++) {
    const hue = hueOf(words, 10 + i)
    pen.fillStyle = `hsl(${hue} 55% 60% / 0.45)`
    pen.beginPath()
    pen.arc(
      (width * ((hue * 7 + i * 61) % 100)) / 100,
      (height * ((hue * 3 + i * 37) % 100)) / 100,
      Math.min(width, height) * (0.08 + (hue % 12) / 100),
      0,
      2 * Math.PI,
    )
    pen.fill()
  }
  const font = Math.round(Math.min(width, height) / 16)
  pen.font = `${font}px ${fontFamilies}`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  const lines = wrapped(pen, words, width * 0.78, 7)
  const step = font * 1.35
  pen.fillStyle = 'rgb(255 255 255 / 0.82)'
  pen.beginPath()
  pen.roundRect(
    width * 0.07,
    height / 2 - (step * (lines.length + 1)) / 2,
    width * 0.86,
    step * (lines.length + 1),
    font / 2,
  )
  pen.fill()
  pen.fillStyle = '#1f2430'
  for (const [i, line] of lines.entries())
    pen.fillText(line, width / 2, height / 2 + (i - (lines.length - 1) / 2) * step)
  return canvas.encode('png')
}
