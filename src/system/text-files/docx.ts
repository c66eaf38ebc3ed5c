import { DomUtils, parseDocument } from 'htmlparser2'
import { strFromU8, strToU8, zipSync } from 'fflate'
import mammoth from 'mammoth'
import { TextFileProblem, type TextBlock } from './blocks.ts'
import { listLabels, type ListLabels } from './docx-lists.ts'
import { htmlBlocks, listLabel } from './html.ts'
import { elementsNamed, elementsOf, localName, type XmlElement, type ZipFiles } from './zip.ts'

/** Styles of titles that mammoth does not know. */
const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]

/**
 * Returns the blocks of a Word file. Its texts are packed again for the library, which would unpack anything, whatever size
 * its entries name. Throws {@link TextFileProblem}.
 */
export async function docxBlocks(zip: ZipFiles): Promise<readonly TextBlock[]> {
  if (!zip.paths().some((path) => /(?:^|\/)document\d*\.xml$/.test(path)))
    throw new TextFileProblem('damaged', 'The archive contains no document')
  const labels = listLabels(zip.xml('word/numbering.xml'), zip.xml('word/styles.xml'))
  const texts = zip.paths().map((path) => {
    const bytes = zip.bytes(path) ?? strToU8('')
    return [path, bodyPath.test(path) ? prepared(bytes, labels) : bytes] as const
  })
  const packed = zipSync(Object.fromEntries(texts), { level: 0 })
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(packed.buffer) },
    {
      styleMap,
      // Only descriptions of images are used, and none is in the archive any more.
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  )
  return htmlBlocks(
    value.replace(labelInHtml, (_, item: string | undefined, label: string) =>
      item === undefined ? `${label} ` : `<li ${listLabel}="${label.replaceAll('"', '&quot;')}">`,
    ),
  )
}

const bodyPath = /(?:^|\/)(?:document\d*|footnotes|endnotes)\.xml$/

/** Characters around the label of a paragraph, which mammoth passes on as text. */
const labelStart = '\u{E001}'
const labelEnd = '\u{E002}'
const labelMarks = new RegExp(`[${labelStart}${labelEnd}]`, 'gu')
const labelInHtml = new RegExp(`(<li>)?${labelStart}([^${labelEnd}]*)${labelEnd}`, 'gu')

/**
 * Returns a text of the file with what mammoth would drop in a form that it reads: fields, words with readings, formulas, and
 * the numbers of paragraphs.
 */
function prepared(bytes: Uint8Array, labels: ListLabels): Uint8Array {
  const text = strFromU8(bytes)
  const [root] = elementsOf(parseDocument(text.replace(labelMarks, ''), { xmlMode: true }))
  // The tree would repair what is cut off, and the rest of the document would be missing.
  if (!root || !text.trimEnd().endsWith(`</${root.name}>`)) return bytes
  const prefix = root.name.slice(0, root.name.indexOf(':') + 1)
  const runOf = (content: string): readonly XmlElement[] => {
    const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const texts = `<${prefix}t xml:space="preserve">${escaped}</${prefix}t>`
    return elementsOf(parseDocument(`<${prefix}r>${texts}</${prefix}r>`, { xmlMode: true }))
  }
  const replace = (node: XmlElement, nodes: readonly XmlElement['children'][number][]): void => {
    for (const one of nodes) DomUtils.prepend(node, one)
    DomUtils.removeElement(node)
  }
  const walk = (node: XmlElement): void => {
    switch (localName(node)) {
      // Mammoth reads the other form.
      case 'Choice':
        return
      case 'oMath':
      case 'oMathPara':
        replace(node, runOf(formulaText(node)))
        return
      case 'p': {
        // Word numbers an empty paragraph, too, but mammoth would not drop it with a label.
        const number = labels.next(node)
        const label = DomUtils.textContent(node).trim() === '' ? null : number
        const properties = elementsOf(node).find((one) => localName(one) === 'pPr')
        if (label !== null && label !== '')
          for (const run of runOf(`${labelStart}${label}${labelEnd}`)) {
            if (properties) DomUtils.append(properties, run)
            else DomUtils.prependChild(node, run)
          }
      }
    }
    for (const one of elementsOf(node)) walk(one)
    if (localName(node) === 'fldSimple') replace(node, [...node.children])
    if (localName(node) === 'ruby')
      replace(
        node,
        elementsNamed(node, 'rubyBase').flatMap(({ children }) => [...children]),
      )
  }
  walk(root)
  return strToU8(DomUtils.getOuterHTML(root, { xmlMode: true, encodeEntities: 'utf8' }))
}

/** Returns a formula in one line: fractions with a slash, and exponents after a circumflex. */
function formulaText(node: XmlElement): string {
  const part = (name: string): string =>
    elementsOf(node)
      .filter((one) => localName(one) === name)
      .map(formulaText)
      .join(', ')
  /** A part of more than one number or word needs parentheses to stay one. */
  const unit = (name: string, sign = ''): string => {
    const text = part(name)
    if (text === '') return ''
    return sign + (/^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`)
  }
  const property = (name: string, otherwise: string): string => {
    const properties = elementsOf(node).filter((one) => localName(one).endsWith('Pr'))
    const found = properties.flatMap((one) => elementsNamed(one, name))[0]
    return (
      Object.entries(found?.attribs ?? {}).find(([key]) => /(?:^|:)val$/.test(key))?.[1] ??
      otherwise
    )
  }
  const limits = (): string => unit('sub', '_') + unit('sup', '^')
  switch (localName(node)) {
    case 't':
      return DomUtils.textContent(node)
    case 'f':
      return `${unit('num')}/${unit('den')}`
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
      return `${unit('e')}${limits()}`
    case 'rad':
      return `${part('deg')}√${unit('e')}`
    case 'd':
      return `${property('begChr', '(')}${part('e')}${property('endChr', ')')}`
    case 'nary':
      return `${property('chr', '∫')}${limits()} ${part('e')}`
    default:
      return elementsOf(node)
        .filter((one) => !localName(one).endsWith('Pr'))
        .map(formulaText)
        .join('')
  }
}
