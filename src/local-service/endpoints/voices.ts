import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { engineNames } from '../../shared/provider/engine-names.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { limits } from '../../shared/provider/limits.ts'
import type { ServiceContext, Route, Handler } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { readJsonBody } from '../json-body.ts'
import { checkedText, requestIdOf, requiredText, textOf } from '../json-fields.ts'
import { mediaName } from '../media-store.ts'
import { brandedModel } from '../model-field.ts'
import { jsonReply } from '../http.ts'
import { localClock, localDay } from '../../shared/text/local-time.ts'
import { officialVoices } from '../voices/official.ts'
import { pcmOf, audioOfSample, wavAround } from '../voices/voice-audio.ts'
import { voiceStore, type ClonedVoice } from '../voices/store.ts'

/** Engine name in responses of this family. */
export const voiceEngine = engineNames.voices

const cloneNotice = engineNotices.cannotImitate

const listNotice = engineNotices.voicesPlay

/** Returns the bytes of an uploaded sample. Throws 1214 for anything else. */
async function sampleBytes(fileId: string, { files }: ServiceContext): Promise<Uint8Array> {
  const refuse = (why: string): ServiceError => new ServiceError('fieldIllegal', `file_id ${why}`)
  const file = (await files.list()).find(({ id }) => id === fileId)
  const path = file && (await files.pathOf(file.id))
  if (!file || !path) throw refuse('is not the id of an uploaded file')
  if (file.purpose !== 'voice-clone-input')
    throw refuse('must be uploaded with the purpose voice-clone-input')
  if (file.bytes > limits.voiceClone.bytes) throw refuse('must be a file of at most 10 MB')
  return readFile(path)
}

/**
 * Formats a time (Unix milliseconds) as the voices API does: `YYYY-MM-DD HH:MM:SS` in local time (service-notes 3).
 */
const localTime = (at: number): string => `${localDay(at)} ${localClock(at)}`

/** `POST /paas/v4/voice/clone` (service-notes 3). */
const cloneVoice: Handler = async ({ incoming }, context) => {
  const { files, media, state, clock, ids } = context
  const body = await readJsonBody(incoming)
  brandedModel(body, ['tts-clone'])
  const name = requiredText(body, 'voice_name')
  // The API specifies no limit (service-notes 3); the body limit is sufficient.
  requiredText(body, 'input')
  const fileId = requiredText(body, 'file_id')
  textOf(body, 'text')
  const requestId = requestIdOf(body) ?? ids()
  const voices = voiceStore(state)
  const taken = new ServiceError('conflict', 'A voice with this voice_name already exists')
  if (voices.nameTaken(name)) throw taken
  const wav = wavAround(await pcmOf(await audioOfSample(await sampleBytes(fileId, context))))
  const at = clock()
  const sample = mediaName(await media.put(wav, 'wav'))
  const upload = await files.receive(Readable.from([wav]))
  const preview = await upload.keep({
    filename: `${name.replace(/[^\p{L}\p{N} _-]/gu, '_').slice(0, 100)}.wav`,
    purpose: 'voice-clone-output',
    createdAt: Math.floor(at / 1000),
  })
  const voice: ClonedVoice = {
    id: `voice-${ids()}`,
    name,
    sample,
    fileId: preview.id,
    createdAt: at,
  }
  if (!voices.add(voice)) {
    await Promise.all([media.remove(sample), files.remove(preview.id)])
    throw taken
  }
  return jsonReply({
    voice: voice.id,
    file_id: preview.id,
    file_purpose: 'voice-clone-output',
    request_id: requestId,
    engine: voiceEngine,
    notice: cloneNotice,
  })
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/**
 * `GET /paas/v4/voice/list` (service-notes 3): the client's own voices, newest first, then the built-in voices.
 */
const listVoices: Handler = async ({ query, incoming }, { state, media }) => {
  const requestId = incoming.headers['request-id']
  if (requestId !== undefined) checkedText(requestId, 'Request-Id', limits.requestId)
  const type = query.get('voiceType')
  if (type !== null && type !== 'PRIVATE' && type !== 'OFFICIAL')
    throw new ServiceError('fieldIllegal', 'voiceType must be one of: PRIVATE, OFFICIAL')
  const cloned = voiceStore(state)
    .list()
    .map((voice) => ({
      voice: voice.id,
      voice_name: voice.name,
      voice_type: 'PRIVATE',
      download_url: media.urlOf(voice.sample),
      create_time: localTime(voice.createdAt),
    }))
  const wanted = folded(query.get('voiceName') ?? '')
  const rows = [...cloned, ...officialVoices].filter(
    (row) => (type === null || row.voice_type === type) && folded(row.voice_name).includes(wanted),
  )
  return jsonReply({ voice_list: rows, engine: voiceEngine, notice: listNotice })
}

/** `POST /paas/v4/voice/delete` (service-notes 3): also deletes the sample and its preview. */
const deleteVoice: Handler = async ({ incoming }, { state, media, files, clock }) => {
  const body = await readJsonBody(incoming)
  const id = requiredText(body, 'voice')
  requestIdOf(body)
  const voices = voiceStore(state)
  const voice = voices.get(id)
  if (!voice) throw new ServiceError('fieldIllegal', 'voice is not the id of a cloned voice')
  voices.remove(id)
  await Promise.all([media.remove(voice.sample), files.remove(voice.fileId)])
  return jsonReply({ voice: id, update_time: localTime(clock()), engine: voiceEngine })
}

export const voicesRoutes: readonly Route[] = [
  ['POST', '/paas/v4/voice/clone', cloneVoice],
  ['GET', '/paas/v4/voice/list', listVoices],
  ['POST', '/paas/v4/voice/delete', deleteVoice],
]
