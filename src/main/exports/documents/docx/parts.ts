import { AlignmentType, LevelFormat, type NumberingDefinition } from 'docx'
import type { Attributes } from '../content/nodes.ts'
import type { DocumentLabels } from '../labels.ts'

/** A picture of the document on its way: docx gets its name in its place, the bytes go into the finished file one by one. */
export interface DocxImage {
  readonly key: string
  readonly type: 'png' | 'jpg'
  readonly width: number
  readonly height: number
}

/** What is gathered while blocks become paragraphs. */
export interface DocxParts {
  readonly words: DocumentLabels
  /** Page the blocks stand on. */
  page: number
  /** Crops by their key; what is not in it cannot be had. */
  readonly images: Map<string, DocxImage>
  /** Pictures in the order they stand in the document. */
  readonly placed: DocxImage[]
  /** Ordered lists so far. */
  lists: number
  plainFormulas: number
}

/** Room between the margins, in pixels at 96 to the inch. */
export const room = { width: 600, height: 860 } as const

/** Font for code and for LaTeX that is shown as it is. */
export const codeFont = { ascii: 'Consolas', hAnsi: 'Consolas', eastAsia: 'Microsoft YaHei' }
/** Fonts of words: Latin letters, and Chinese, Japanese and Korean ones. */
export const textFont = { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: 'Microsoft YaHei' }

/** The numbering of ordered lists that begin with a number. */
export const numberingOf = (start: number): NumberingDefinition => ({
  reference: `ordered-${start}`,
  levels: Array.from({ length: 9 }, (_, level) => ({
    level,
    format: LevelFormat.DECIMAL,
    text: `%${level + 1}.`,
    start: level === 0 ? start : 1,
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { left: 720 * (level + 1), hanging: 360 } } },
  })),
})

/** How words are drawn. */
export interface RunStyle {
  readonly bold?: true
  readonly italics?: true
  readonly strike?: true
  readonly subScript?: true
  readonly superScript?: true
  readonly underline?: Record<string, never>
  readonly font?: typeof codeFont
  readonly style?: 'Hyperlink'
}

/** Where blocks stand: what their paragraphs take over. */
export interface Place {
  readonly align?: Attributes['align']
  /** Depth of lists and quotations. */
  readonly level: number
  /** Taken by the first paragraph of a list's item. */
  readonly marker?:
    | { readonly reference: NumberingDefinition; readonly instance: number }
    | 'bullet'
  /** Cells around it. */
  readonly cells: number
  readonly style: RunStyle
}

/** Outside of everything. */
export const outside: Place = { level: 0, cells: 0, style: {} }
