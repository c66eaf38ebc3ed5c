import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { limits } from '../../shared/provider/limits.ts'
import { booleanField, textField } from '../request-fields.ts'
import type { FileStore, Upload } from '../file-store.ts'
import { fieldIllegal, fieldMissing, type JsonObject } from '../json-body.ts'
import { integerOf, textsOf } from '../json-fields.ts'
import { kindBytes } from '../knowledge/readers/kind.ts'
import type { KnowledgeType, SlicingRules } from '../../shared/knowledge/slicing/types.ts'
import { readForm, type Form } from '../multipart.ts'

const types: readonly KnowledgeType[] = [1, 2, 3, 5, 6, 7]
const defaultSize = 300

/** Maximum number of files in one upload. */
const maxFiles = 50

/** Maximum number of bytes of one document: the PDF limit of service-notes 16, used for all types. */
export const maxDocumentBytes = limits.layout.pdfBytes

function typeOf(value: number | undefined): KnowledgeType | null {
  if (value === undefined) return null
  const type = types.find((known) => known === value)
  if (type === undefined) throw fieldIllegal('knowledge_type', `be one of: ${types.join(', ')}`)
  return type
}

function digits(form: Form<unknown>, name: string): number | undefined {
  const text = textField(form, name)
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw fieldIllegal(name, 'be digits')
  return Number(text)
}

function checkedSize(size: number = defaultSize): number {
  const { minChars, maxChars } = limits.slicing
  if (size < minChars || size > maxChars)
    throw fieldIllegal('sentence_size', `be ${minChars} to ${maxChars}`)
  return size
}

/**
 * Reads separators in every form that clients send: a repeated field, with or without brackets in its name, or a JSON
 * array in one field.
 */
function separatorsOf(form: Form<unknown>): readonly string[] {
  const values = ['custom_separator', 'custom_separator[]'].flatMap(
    (name) => form.fields.get(name) ?? [],
  )
  const [only] = values
  if (values.length !== 1 || !only?.startsWith('[')) return values
  try {
    const list: unknown = JSON.parse(only)
    if (Array.isArray(list) && list.every((value) => typeof value === 'string')) return list
  } catch {
    // A separator that starts like a JSON array but is none.
  }
  return values
}

/** Maximum number of separators; each is searched for in the whole document. */
const maxSeparators = 32

function fewSeparators(separators: readonly string[]): readonly string[] {
  if (separators.length > maxSeparators)
    throw fieldIllegal('custom_separator', `have at most ${maxSeparators} items`)
  return separators
}

/** Reads chunking rules from a JSON body (service-notes 7). Throws 1214. */
export const rulesOf = (body: JsonObject): SlicingRules => ({
  type: typeOf(integerOf(body, 'knowledge_type')),
  separators: textsOf(body, 'custom_separator', { max: maxSeparators }) ?? [],
  sentenceSize: checkedSize(integerOf(body, 'sentence_size')),
})

/** File of an upload that is on disk but not saved to the store yet. */
export interface UploadedFile {
  readonly name: string
  readonly upload: Upload
  /** First bytes of the file. */
  readonly head: Uint8Array
}

/** Validated document upload (service-notes 7). */
export interface DocumentForm {
  readonly files: readonly UploadedFile[]
  readonly rules: SlicingRules
  readonly parseImage: boolean
  readonly wordLimit: number | null
  readonly callback: boolean
}

/** Passes the chunks of a file through and records its first bytes in `head`. */
async function* noting(stream: AsyncIterable<Buffer>, head: number[]): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    if (head.length < kindBytes) head.push(...chunk.subarray(0, kindBytes - head.length))
    yield chunk
  }
}

/**
 * Reads and validates the form. Calls `received` for each file as soon as it is on disk, even if the form turns out to
 * be invalid. Throws 1210, 1213, 1214.
 */
export async function readDocumentForm(
  incoming: IncomingMessage,
  fileStore: FileStore,
  received: (upload: Upload) => void,
): Promise<DocumentForm> {
  const form = await readForm(
    incoming,
    {
      fileBytes: maxDocumentBytes + 1,
      fieldBytes: 64 * 1024,
      fileField: 'files',
      files: maxFiles,
    },
    async ({ stream, filename }): Promise<UploadedFile> => {
      const head: number[] = []
      const upload = await fileStore.receive(Readable.from(noting(stream, head)))
      received(upload)
      return { name: filename, upload, head: Uint8Array.from(head) }
    },
  )
  const rules = {
    type: typeOf(digits(form, 'knowledge_type')),
    separators: fewSeparators(separatorsOf(form)),
    sentenceSize: checkedSize(digits(form, 'sentence_size')),
  }
  const parseImage = booleanField(form, 'parse_image', false)
  const wordLimit = digits(form, 'word_num_limit') ?? null
  if (form.files.length === 0) throw fieldMissing('files')
  const callback = textField(form, 'callback_url') !== undefined
  return { files: form.files, rules, parseImage, wordLimit, callback }
}
