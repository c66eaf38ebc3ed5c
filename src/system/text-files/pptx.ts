import {
  cellText,
  markdownText,
  sectionOf,
  TextFileProblem,
  type Section,
  type TableCell,
  type TextBlock,
} from './blocks.ts'
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

/** Returns the table of a frame, or the texts of its diagram. */
function frameBlocks(zip: ZipFiles, relations: Relations, frame: XmlElement): readonly TextBlock[] {
  const tables = elementsNamed(frame, 'tbl')
  if (tables.length > 0) return tables.flatMap((table) => tablesOf(rowsOf(table)))
  const [diagram] = elementsNamed(frame, 'relIds')
  const data = zip.xml(relations.get(diagram?.attribs['r:dm'] ?? '')?.path ?? '')
  return (data ? elementsNamed(data, 't') : []).flatMap((item) => bodyBlocks(item, null))
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
  for (const paragraph of paragraphs) {
    const text = markdownText(plainText(paragraph).trim()).replace(/\n/g, '  \n')
    const properties = child(paragraph, 'pPr')
    if (!isBulleted(properties, placeholder)) {
      blocks.push({ kind: 'text', content: text })
      continue
    }
    const level = Math.min(8, Number(/^\d$/.exec(properties?.attribs['lvl'] ?? '')?.[0] ?? 0))
    const indent = '  '.repeat(level)
    const line = `${indent}- ${text.replace(/\n/g, `\n${indent}  `)}`
    const last = blocks.at(-1)
    if (last?.kind === 'list')
      blocks[blocks.length - 1] = { kind: 'list', content: `${last.content}\n${line}` }
    else blocks.push({ kind: 'list', content: level === 0 ? line : line.trimStart() })
  }
  return blocks
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
