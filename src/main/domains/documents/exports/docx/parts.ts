import { AlignmentType, LevelFormat, type NumberingDefinition } from 'docx'
import type { Attributes } from '../../../../platform/export-files/nodes.ts'
import type { DocumentLabels } from '../labels.ts'

/**
 * An image of the document: docx gets its name as a placeholder, and the bytes are written to the finished file one image at
 * a time.
 */
interface DocxImage {
  readonly key: string
  readonly type: 'png' | 'jpg'
  readonly width: number
  readonly height: number
}

/** State collected while blocks become paragraphs. */
export interface DocxParts {
  readonly words: DocumentLabels
  /** Page of the blocks. */
  page: number
  /** Crops by key; a missing key means that there is no crop. */
  readonly images: Map<string, DocxImage>
  /** Images in document order. */
  readonly placed: DocxImage[]
  /** Number of ordered lists so far. */
  lists: number
  plainFormulas: number
}

/** Space between the margins, in pixels at 96 per inch. */
export const room = { width: 600, height: 860 } as const

/** Font of code and of LaTeX source. */
export const codeFont = { ascii: 'Consolas', hAnsi: 'Consolas', eastAsia: 'Microsoft YaHei' }
/** Fonts of text: Latin, and Chinese, Japanese and Korean. */
export const textFont = { ascii: 'Calibri', hAnsi: 'Calibri', eastAsia: 'Microsoft YaHei' }

/** Returns the numbering of ordered lists that begin with a number. */
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

/** Text style of a run. */
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

/** Context that paragraphs inherit from the surrounding blocks. */
export interface Place {
  readonly align?: Attributes['align']
  /** Depth of lists and quotations. */
  readonly level: number
  /** Used by the first paragraph of a list item. */
  readonly marker?:
    | { readonly reference: NumberingDefinition; readonly instance: number }
    | 'bullet'
  /** Number of surrounding table cells. */
  readonly cells: number
  readonly style: RunStyle
}

/** Context of top-level blocks. */
export const outside: Place = { level: 0, cells: 0, style: {} }
