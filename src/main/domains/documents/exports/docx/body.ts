import type { Document, IContext, IXmlableObject, Paragraph, Table } from 'docx'

/** Writes the body of a document in parts, so that written parts need not stay in memory. */
interface DocxBody {
  /** Returns the XML of paragraphs and tables and registers their links, lists and images with the document. */
  xmlOf(children: readonly (Paragraph | Table)[]): string
}

const imageType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image'

/** Creates the body writer of a document whose own children are written elsewhere. */
export function createBody(document: Document): DocxBody {
  const lists = new Map<string, number>()
  const images = new Map<string, string>()
  let known = 0

  /** Collects the numbers of the lists and the relations of the images registered with the document. */
  const learn = (): void => {
    for (const { reference, instance, numId } of document.Numbering.ConcreteNumbering.slice(known))
      lists.set(`${reference}-${instance}`, numId)
    known = document.Numbering.ConcreteNumbering.length
    for (const [key, { fileName }] of document.Media.Entries.slice(images.size)) {
      const id = `Picture${images.size}`
      document.Document.Relationships.addRelationship(id, imageType, `media/${fileName}`)
      images.set(key, id)
    }
  }
  const named = (name: string, attribute: string, value: string): string => {
    const key = /\{([^{}]+)\}/.exec(value)?.[1] ?? ''
    if (attribute === 'r:embed') return value.replace(`{${key}}`, images.get(key) ?? key)
    if (name === 'w:numId') return value.replace(`{${key}}`, String(lists.get(key) ?? 0))
    return value
  }
  return {
    xmlOf(children) {
      const context: IContext = { file: document, viewWrapper: document.Document, stack: [] }
      const made = children.flatMap((child) => child.prepForXml(context) ?? [])
      learn()
      return made.map((element) => xml(element, named)).join('')
    },
  }
}

type Named = (name: string, attribute: string, value: string) => string

/** Serializes an element of the library: its name maps to a text, to its attributes, or to a list of its content. */
function xml(element: IXmlableObject, named: Named): string {
  const [name, content] = Object.entries(element)[0] ?? ['', null]
  const attributes: string[] = []
  const inside: string[] = []
  for (const part of Array.isArray(content) ? content : [content]) {
    if (typeof part !== 'object') inside.push(part === undefined ? '' : escaped(String(part)))
    else if (part !== null) {
      const [[key, value] = ['', null]] = Object.entries(part)
      if (key === '_attr') attributes.push(...attributesOf(name, value, named))
      else if (key !== '') inside.push(xml(part, named))
    }
  }
  const open = `<${name}${attributes.join('')}`
  return inside.length === 0 ? `${open}/>` : `${open}>${inside.join('')}</${name}>`
}

function attributesOf(name: string, given: unknown, named: Named): readonly string[] {
  return Object.entries(given ?? {}).flatMap(([key, value]: readonly [string, unknown]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [` ${key}="${escaped(named(name, key, String(value)))}"`]
      : [],
  )
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? '')
