/** A block of a file that contains its text. */
export interface TextBlock {
  readonly kind: 'title' | 'text' | 'list' | 'table' | 'figure'
  /** Markdown (of a title with its number signs), or the HTML of a table. */
  readonly content: string
  /** Whether a table continues the one before it. */
  readonly continued?: true
}

/** A part of a file: a slide, a sheet, a chapter, or what is below a heading. In reading order. */
export interface Section {
  /** Name of a sheet, or the first heading; empty if it has none. */
  readonly title: string
  readonly blocks: readonly TextBlock[]
}

/**
 * Why a file cannot be read. `damaged`: it is not what its name says; `protected`: it opens with a password or copy
 * protection; `too-large`: it unpacks to more than any document.
 */
type TextFileTrouble = 'damaged' | 'protected' | 'too-large'

/** A file that cannot be read. */
export class TextFileProblem extends Error {
  readonly trouble: TextFileTrouble

  constructor(trouble: TextFileTrouble, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TextFileProblem'
    this.trouble = trouble
  }
}

/** Maximum number of characters of a file: more than any book or sheet that can be shown. */
export const maxChars = 60_000_000

/** Characters after which a section of continuous text ends at the next block: about three pages of a book. */
const sectionChars = 8_000

const levelOf = (block: TextBlock): number =>
  block.kind === 'title' ? (/^#{1,6}/.exec(block.content)?.[0].length ?? 1) : Infinity

/** Returns the text of a title without its number signs. */
const titleText = ({ content }: TextBlock): string => content.replace(/^#{1,6}\s+/, '')

/** Returns a section with the name, or that of its first heading. */
export function sectionOf(blocks: readonly TextBlock[], name?: string): Section {
  const heading = blocks.find(({ kind }) => kind === 'title')
  return { title: plainTitle(name ?? (heading ? titleText(heading) : '')), blocks }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<' }

/** Undoes {@link markdownText} and removes emphasis and links. */
const plainTitle = (markdown: string): string =>
  markdown
    .replace(/\[([^\][\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/\*+|`/g, '')
    .replace(/<\/?su[bp]>/g, '')
    .replace(/&(?:#(\d{1,3})|(amp|lt));/g, (_, code: string | undefined, name: string) =>
      code === undefined ? (entities[name] ?? '') : String.fromCodePoint(Number(code)),
    )
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 300)

/** Divides continuous text at its headings of the first two levels, and where it would become too long. */
export function sectionsOf(blocks: readonly TextBlock[]): readonly Section[] {
  const sections: Section[] = []
  let current: TextBlock[] = []
  let chars = 0
  const end = (): void => {
    if (current.length > 0) sections.push(sectionOf(current))
    current = []
    chars = 0
  }
  for (const block of blocks) {
    const hasText = current.some(({ kind }) => kind !== 'title')
    if (hasText && (levelOf(block) <= 2 || chars >= sectionChars)) end()
    current.push(block)
    chars += block.content.length
  }
  end()
  return sections
}

/**
 * Returns text as Markdown that shows exactly this text. Signs that would be markup become entities rather than escapes:
 * search and lists decode them.
 */
export function markdownText(text: string): string {
  const dollars = text.indexOf('$') !== text.lastIndexOf('$')
  return text
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '&#92;')
    .replace(/(?<!\s)\*|\*(?!\s)/g, '&#42;')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '&#95;')
    .replace(/`/g, '&#96;')
    .replace(/~(?=~)/g, '&#126;')
    .replace(/\[(?=[^\]\n]{0,1000}\][([:])/g, '&#91;')
    .replace(/\$/g, dollars ? '&#36;' : '$')
    .replace(
      /^(\s*)(#(?=#{0,5}(?:\s|$))|>|[+-](?=[\s-]|$)|=(?==*\s*$))/gm,
      (_, space: string, sign: string) => `${space}${entityOf(sign)}`,
    )
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/gm, (_, number: string, sign: string) => {
      return `${number}${entityOf(sign)}`
    })
}

const entityOf = (sign: string): string => `&#${sign.charCodeAt(0)};`

/** Returns text for a cell of an HTML table. */
export const cellText = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\$/g, '&#36;')
    .replace(/\n+/g, '<br>')

/** A cell of a table: its HTML, and how many columns and rows it covers. */
export interface TableCell {
  readonly html: string
  readonly header?: boolean
  readonly colspan?: number
  readonly rowspan?: number
}

/** Returns a table block; null when no cell has content. */
export function tableOf(rows: readonly (readonly TableCell[])[]): TextBlock | null {
  if (!rows.some((cells) => cells.some(({ html }) => html !== ''))) return null
  const lines = rows.map((cells) => `<tr>${cells.map(cellHtml).join('')}</tr>`)
  return { kind: 'table', content: `<table>\n${lines.join('\n')}\n</table>` }
}

function cellHtml({ html, header = false, colspan = 1, rowspan = 1 }: TableCell): string {
  const tag = header ? 'th' : 'td'
  const wide = colspan > 1 ? ` colspan="${colspan}"` : ''
  const high = rowspan > 1 ? ` rowspan="${rowspan}"` : ''
  return `<${tag}${wide}${high}>${html}</${tag}>`
}
