import { fieldIllegal, fieldMissing, fieldName, jsonValue, type JsonObject } from '../json-body.ts'
import { checkedObject, checkedText, requiredText } from '../json-fields.ts'

/** Text of a message, and the number of parts that this computer cannot process. */
interface MessageContent {
  readonly text: string
  readonly imageCount: number
}

/** Part types that carry text, in all APIs (service-notes 8, 10, 13). */
const textTypes: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'input'])

function partOf(part: JsonObject): MessageContent {
  const type = requiredText(part, 'type')
  if (textTypes.has(type)) {
    const text = jsonValue(part, 'text') ?? jsonValue(part, 'value')
    if (text === undefined) throw fieldMissing(fieldName(part, 'text'))
    return { text: checkedText(text, fieldName(part, 'text')), imageCount: 0 }
  }
  if (/^(?:input_)?(?:image|image_url|file|file_url|video_url)$/.test(type))
    return { text: '', imageCount: 1 }
  throw fieldIllegal(fieldName(part, 'type'), 'be the type of a part, for example text')
}

/** Returns the content of a message: a text, or parts of text and images. Throws 1213 and 1214. */
export function contentOf(message: JsonObject): MessageContent {
  const name = fieldName(message, 'content')
  const content = jsonValue(message, 'content')
  if (content === undefined) throw fieldMissing(name)
  if (typeof content === 'string') return { text: content, imageCount: 0 }
  if (!Array.isArray(content)) throw fieldIllegal(name, 'be a string or an array of parts')
  const parts = content.map((part: unknown, i) => partOf(checkedObject(part, `${name}[${i}]`)))
  return {
    text: parts
      .map(({ text }) => text)
      .filter(Boolean)
      .join('\n'),
    imageCount: parts.reduce((sum, { imageCount }) => sum + imageCount, 0),
  }
}
