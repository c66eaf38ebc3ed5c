import type { IncomingMessage } from 'node:http'
import { limits } from '../../shared/provider/limits.ts'
import { parseAudioHeader, AudioError } from '../audio/audio.ts'
import { ServiceError } from '../errors.ts'
import { booleanField, boundedField, requiredField, textField } from '../request-fields.ts'
import { readForm, type Form, type FormFile } from '../multipart.ts'
import type { AudioKind } from '../protocol.ts'

/** Validated transcription request (service-notes 4 and 16). */
export interface TranscriptionForm {
  readonly kind: AudioKind
  readonly audio: Uint8Array<ArrayBuffer>
  /** As spelled by the client. */
  readonly model: string
  readonly stream: boolean
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly requestId: string | undefined
}

const { bytes: maxBytes, seconds: maxSeconds, hotwords: maxHotwords } = limits.transcription

/** Model IDs of service-notes 4 after any brand prefix: providers of this API spell `gen-` differently. */
const modelNames: ReadonlySet<string> = new Set(['asr-2512'])

/** Base64 needs four characters for three bytes, plus some room for line breaks and a data prefix. */
const maxBase64 = Math.ceil(maxBytes / 3) * 4 + 1024 * 1024

interface ReceivedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly tooLarge: boolean
}

async function collect({ stream }: FormFile): Promise<ReceivedFile> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const bytes = joined(chunks)
  return { bytes, tooLarge: stream.truncated || bytes.length > maxBytes }
}

/** Returns a copy with a buffer of its own, because it is transferred to the worker. */
function joined(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function fromBase64(form: Form<ReceivedFile>): ReceivedFile | undefined {
  const text = textField(form, 'file_base64')
  if (text === undefined) return undefined
  const plain = text.replace(/\s+/g, '')
  if (!form.overlong.has('file_base64') && !/^[A-Za-z0-9+/]+={0,2}$/.test(plain))
    throw new ServiceError('fieldIllegal', 'file_base64 is not Base64')
  const bytes = joined([Buffer.from(plain, 'base64')])
  return { bytes, tooLarge: form.overlong.has('file_base64') || bytes.length > maxBytes }
}

async function audioOf(
  form: Form<ReceivedFile>,
): Promise<Pick<TranscriptionForm, 'kind' | 'audio'>> {
  const name = form.file ? 'file' : 'file_base64'
  const file = form.file ?? fromBase64(form)
  if (!file) throw new ServiceError('fieldMissing', 'file or file_base64 is required')
  if (file.tooLarge) throw new ServiceError('fieldIllegal', `${name} must be at most 25 MB`)
  if (file.bytes.length === 0) throw new ServiceError('fieldIllegal', `${name} is empty`)
  try {
    const { mime, seconds } = await parseAudioHeader(file.bytes)
    if (seconds > maxSeconds)
      throw new ServiceError(
        'fieldIllegal',
        `${name} must be at most ${maxSeconds} seconds long; it has ${seconds.toFixed(3)}`,
      )
    if (seconds === 0) throw new ServiceError('fieldIllegal', `${name} has no audio`)
    return { kind: mime === 'audio/wav' ? 'wav' : 'mp3', audio: file.bytes }
  } catch (error) {
    if (error instanceof AudioError)
      throw new ServiceError('fieldIllegal', `${name} can’t be read: ${error.message}`)
    throw error
  }
}

function modelOf(form: Form<ReceivedFile>): string {
  const model = requiredField(form, 'model')
  const name = /^[a-z][a-z0-9]*-(.+)$/.exec(model)?.[1] ?? ''
  if (!modelNames.has(name)) throw new ServiceError('unknownModel', 'Unknown model')
  return model
}

/**
 * Reads a repeated field in both forms that clients use: one field per word, with or without brackets in its name.
 */
function hotwordsOf(form: Form<ReceivedFile>): readonly string[] {
  const words = ['hotwords', 'hotwords[]'].flatMap((name) => form.fields.get(name) ?? [])
  if (words.length > maxHotwords)
    throw new ServiceError('fieldIllegal', `hotwords must have at most ${maxHotwords} items`)
  return words
}

/** Reads and validates the form of service-notes 4. Throws a ServiceError for the first violated rule. */
export async function readTranscriptionForm(incoming: IncomingMessage): Promise<TranscriptionForm> {
  const form = await readForm(
    incoming,
    // One byte more than allowed, to distinguish exactly 25 MB from more.
    { fileBytes: maxBytes + 1, fieldBytes: maxBase64 },
    collect,
  )
  const model = modelOf(form)
  const stream = booleanField(form, 'stream', false)
  const hotwords = hotwordsOf(form)
  const requestId = boundedField(form, 'request_id', limits.requestId)
  boundedField(form, 'user_id', limits.userId)
  const prompt = textField(form, 'prompt') ?? ''
  return { ...(await audioOf(form)), model, stream, prompt, hotwords, requestId }
}
