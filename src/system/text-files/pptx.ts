import { DomUtils } from 'htmlparser2'
import {
  cellText,
  markdownText,
  sectionOf,
  TextFileProblem,
  type Section,
  type TableCell,
  type TextBlock,
} from './blocks.ts'
import { listNumber } from './docx-lists.ts'
import { tablesOf } from './html.ts'
import {
  elementsNamed,
  elementsOf,
  localName,
  relatedPath,
  relationsOf,
  type Relations,
  type XmlDocument,
  type XmlElement,
  type ZipFiles,
} from './zip.ts'

const child = (node: XmlElement, name: string): XmlElement | undefined =>
  elementsOf(node).find((one) => localName(one) === name)

/**
 * Reads the slides of a PowerPoint file in the order of the show: title, then shapes in the order in which they were drawn,
 * which is that of reading for templates, then the notes as a quotation. Throws {@link TextFileProblem}.
 */
export function* readPptx(archive: ZipFiles): Generator<Section> {
  // A few entries could name one part any number of times.
  const read = new Set<string>()
  const zip: ZipFiles = {
    ...archive,
    xml(path) {
      if (read.has(path)) return null
      read.add(path)
      return archive.xml(path)
    },
  }
  const main = 'ppt/presentation.xml'
  const presentation = zip.xml(main)
  if (!presentation) throw new TextFileProblem('damaged', 'The archive contains no presentation')
  const relations = relationsOf(zip, main)
  // Extensions list the slides again, by section and without relations.
  const entries = elementsNamed(presentation, 'sldIdLst').flatMap(elementsOf)
  for (const entry of entries) {
    const path = relatedPath(entry, relations)
    const slide = path === undefined ? null : zip.xml(path)
    if (path !== undefined && slide) yield slideOf(zip, path, slide)
  }
}

function slideOf(zip: ZipFiles, path: string, slide: XmlDocument): Section {
  const relations = relationsOf(zip, path)
  const notes = [...relations.values()].find(({ type }) => type.endsWith('/notesSlide'))?.path
  const blocks = treeOf(slide).flatMap((shape) => shapeBlocks(zip, relations, shape))
  const titles = blocks.filter(({ kind }) => kind === 'title')
  return sectionOf([
    ...titles,
    ...blocks.filter(({ kind }) => kind !== 'title'),
    ...(notes === undefined ? [] : notesOf(zip, notes)),
  ])
}

/** Returns the shapes of a slide. */
const treeOf = (slide: XmlDocument): readonly XmlElement[] =>
  elementsNamed(slide, 'spTree').flatMap(elementsOf)

const placeholderOf = (shape: XmlElement): string | null => {
  const [placeholder] = elementsNamed(shape, 'ph')
  return placeholder ? (placeholder.attribs['type'] ?? 'obj') : null
}

/** Placeholders that repeat on every slide. */
const repeated = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])

function shapeBlocks(zip: ZipFiles, relations: Relations, shape: XmlElement): readonly TextBlock[] {
  const inside = (group: XmlElement): readonly TextBlock[] =>
    elementsOf(group).flatMap((one) => shapeBlocks(zip, relations, one))
  switch (localName(shape)) {
    case 'grpSp':
      return inside(shape)
    case 'AlternateContent': {
      // Its forms show the same.
      const form = child(shape, 'Choice') ?? child(shape, 'Fallback')
      return form ? inside(form) : []
    }
    case 'sp':
    case 'cxnSp': {
      const placeholder = placeholderOf(shape)
      if (placeholder !== null && repeated.has(placeholder)) return []
      return elementsNamed(shape, 'txBody').flatMap((body) => bodyBlocks(body, placeholder))
    }
    case 'pic': {
      const content = markdownText(elementsNamed(shape, 'cNvPr')[0]?.attribs['descr'] ?? '')
      return content.trim() === '' ? [] : [{ kind: 'figure', content: content.trim() }]
    }
    case 'graphicFrame':
      return frameBlocks(zip, relations, shape)
    default:
      return []
  }
}

/** Returns the table of a frame, the data of its chart, or the texts of its diagram. */
function frameBlocks(zip: ZipFiles, relations: Relations, frame: XmlElement): readonly TextBlock[] {
  const tables = elementsNamed(frame, 'tbl')
  if (tables.length > 0) return tables.flatMap((table) => tablesOf(rowsOf(table)))
  const [drawn] = elementsNamed(frame, 'chart')
  const chart = drawn && zip.xml(relatedPath(drawn, relations) ?? '')
  if (chart) return chartBlocks(chart)
  const [diagram] = elementsNamed(frame, 'relIds')
  const data = zip.xml(relations.get(diagram?.attribs['r:dm'] ?? '')?.path ?? '')
  return (data ? elementsNamed(data, 't') : []).flatMap((item) => bodyBlocks(item, null))
}

/** Maximum numbers of series of a chart, as in PowerPoint, and of their points. */
const maxSeries = 255
const maxPoints = 4_000

/** Returns the title of a chart, and a table with a column for each of its series that share their labels. */
function chartBlocks(chart: XmlDocument): readonly TextBlock[] {
  // The axes have titles, too, but they are inside of the plot area.
  const titles = elementsNamed(chart, 'chart').flatMap((one) =>
    elementsOf(one).filter((part) => localName(part) === 'title'),
  )
  /** Returns the texts or numbers of a part of a series by their places; the outer level of categories is the last. */
  const points = (series: XmlElement, ...names: readonly string[]): ReadonlyMap<string, string> => {
    const texts = new Map<string, string>()
    const parts = elementsOf(series).filter((one) => names.includes(localName(one)))
    for (const point of parts.flatMap((one) => elementsNamed(one, 'pt'))) {
      const place = point.attribs['idx'] ?? ''
      const inner = texts.get(place)
      const text = plainNumber(elementsNamed(point, 'v'))
      texts.set(place, inner === undefined ? text : `${text} ${inner}`)
    }
    return texts
  }
  const series = elementsNamed(chart, 'ser').slice(0, maxSeries)
  // Series of a scatter chart may each have values of their own on the horizontal axis.
  const groups = Map.groupBy(series, (one) => JSON.stringify([...points(one, 'xVal')]))
  return [
    ...titles.flatMap((one) => elementsNamed(one, 'rich')).flatMap((one) => bodyBlocks(one, null)),
    ...[...groups.values()].flatMap((group) => {
      const labels = new Map(group.flatMap((one) => [...points(one, 'cat', 'xVal')]))
      const columns = group.map((one) => points(one, 'val', 'yVal'))
      const named = new Set([...labels.keys(), ...columns.flatMap((one) => [...one.keys()])])
      const places = [...named].slice(0, maxPoints)
      const header = ['', ...group.map((one) => [...points(one, 'tx').values()].join(' '))]
      return tablesOf([
        header.map((text) => ({ html: cellText(text), header: true })),
        ...places.map((place) =>
          [labels.get(place) ?? '', ...columns.map((one) => one.get(place) ?? '')].map((text) => ({
            html: cellText(text),
          })),
        ),
      ])
    }),
  ]
}

/** Returns the text of a value; a number without the noise of binary fractions. */
function plainNumber(values: readonly XmlElement[]): string {
  const text = values
    .map((one) => DomUtils.textContent(one))
    .join('')
    .trim()
  const isNumber = text !== '' && Number.isFinite(Number(text)) && /[.e]/i.test(text)
  return isNumber ? String(Number(Number(text).toPrecision(15))) : text
}

function rowsOf(table: XmlElement): readonly (readonly TableCell[])[] {
  return elementsOf(table)
    .filter((row) => localName(row) === 'tr')
    .map((row, at) =>
      elementsOf(row)
        .filter((cell) => localName(cell) === 'tc')
        .filter(({ attribs }) => !isOn(attribs['hMerge']) && !isOn(attribs['vMerge']))
        .map((cell) => ({
          html: cellText(
            elementsNamed(cell, 'p')
              .map((paragraph) => plainText(paragraph).trim())
              .join('\n')
              .trim(),
          ),
          header: at === 0 && isOn(child(table, 'tblPr')?.attribs['firstRow']),
          colspan: spanOf(cell.attribs['gridSpan']),
          rowspan: spanOf(cell.attribs['rowSpan']),
        })),
    )
}

const isOn = (text: string | undefined): boolean => text === '1' || text === 'true'

const spanOf = (text: string | undefined): number =>
  Math.min(100, Math.max(1, Number(/^\d{1,4}$/.exec(text ?? '')?.[0] ?? 1)))

/** Returns the text of a paragraph; a line break is `\n`. */
const plainText = (node: XmlElement): string =>
  elementsOf(node)
    .map((one) => {
      const name = localName(one)
      if (name === 'br') return '\n'
      if (name === 't')
        return one.children.map((text) => ('data' in text ? text.data : '')).join('')
      // Fields contain their last text; formulas in slides have a picture as their other form.
      return name === 'pPr' || name === 'rPr' ? '' : plainText(one)
    })
    .join('')

function bodyBlocks(body: XmlElement, placeholder: string | null): readonly TextBlock[] {
  const paragraphs = elementsNamed(body, 'p').filter((one) => plainText(one).trim() !== '')
  if (placeholder === 'title' || placeholder === 'ctrTitle') {
    const title = paragraphs.map((one) => plainText(one).trim()).join(' ')
    const content = markdownText(title.replace(/\s+/g, ' '))
    return content === '' ? [] : [{ kind: 'title', content: `## ${content}` }]
  }
  const blocks: TextBlock[] = []
  /** Last numbers by level. */
  let numbers: number[] = []
  /** Items around the next one, and the columns where their text begins. */
  let outer: { readonly level: number; readonly column: number }[] = []
  for (const paragraph of paragraphs) {
    const text = markdownText(plainText(paragraph).trim()).replace(/\n/g, '  \n')
    const properties = child(paragraph, 'pPr')
    if (!isBulleted(properties, placeholder)) {
      blocks.push({ kind: 'text', content: text })
      numbers = []
      continue
    }
    const last = blocks.at(-1)
    const level = Number(/^[0-8]$/.exec(properties?.attribs['lvl'] ?? '')?.[0] ?? 0)
    const numbering = properties ? child(properties, 'buAutoNum')?.attribs : undefined
    const start = Number(/^\d{1,5}$/.exec(numbering?.['startAt'] ?? '')?.[0] ?? 1)
    numbers.length = Math.min(numbers.length, numbering ? level + 1 : level)
    const number = (numbers[level] ?? start - 1) + 1
    if (numbering) numbers[level] = number
    const label = numbering ? numberLabel(number, numbering['type'] ?? '') : ''
    // Markdown has no other labels of lists than decimal ones.
    const isMarker = /^\d{1,9}[.)]$/.test(label)
    const marker = isMarker ? label : '-'
    const item = isMarker || label === '' ? text : `${markdownText(label)} ${text}`
    outer = last?.kind === 'list' ? outer.filter((one) => one.level < level) : []
    const indent = ' '.repeat(outer.at(-1)?.column ?? 0)
    const column = indent.length + marker.length + 1
    outer.push({ level, column })
    const line = `${indent}${marker} ${item.replace(/\n/g, `\n${' '.repeat(column)}`)}`
    if (last?.kind === 'list')
      blocks[blocks.length - 1] = { kind: 'list', content: `${last.content}\n${line}` }
    else blocks.push({ kind: 'list', content: line })
  }
  return blocks
}

/** Formats of numbered paragraphs, by the beginning of their names; without the texts around them. */
const numberFormats: readonly (readonly [prefix: string, format: string])[] = [
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
  ['circleNum', 'decimalEnclosedCircle'],
  ['ea1Ch', 'chineseCounting'],
  ['ea1Jpn', 'chineseCounting'],
]

/** Returns the label of a numbered paragraph, as in `arabicPeriod` or `alphaLcParenBoth`. */
function numberLabel(value: number, type: string): string {
  const format = numberFormats.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'decimal'
  const number = listNumber(value, format)
  if (type.endsWith('ParenBoth')) return `(${number})`
  if (type.endsWith('ParenR')) return `${number})`
  return /Period$|^$/.test(type) ? `${number}.` : number
}

/** Whether a paragraph has a bullet: its own, or that of the body of a slide's layout. */
function isBulleted(properties: XmlElement | undefined, placeholder: string | null): boolean {
  const own = properties ? elementsOf(properties).map(localName) : []
  if (own.includes('buNone')) return false
  if (own.some((name) => /^bu(?:Char|AutoNum|Blip)$/.test(name))) return true
  return placeholder === 'body' || placeholder === 'obj'
}

function notesOf(zip: ZipFiles, path: string): readonly TextBlock[] {
  const notes = zip.xml(path)
  if (!notes) return []
  return treeOf(notes)
    .filter((shape) => !repeated.has(placeholderOf(shape) ?? 'body'))
    .flatMap((shape) => elementsNamed(shape, 'p'))
    .map((paragraph) => plainText(paragraph).trim())
    .filter((text) => text !== '')
    .map((text) => ({ kind: 'text', content: `> ${markdownText(text).replace(/\n/g, '  \n> ')}` }))
}
