import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import type { Media } from '../../../../../shared/model/library.ts'
import type { Voice, VoiceList } from '../../../../../shared/model/voice.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Ids } from '../../../../deps.ts'
import { AppError, asNotOffered, toFailure } from '../../../../errors.ts'
import { discard } from '../../../../../system/file-moves.ts'
import { fetchList } from '../../../../mirror/fetch-list.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { RemoteDeps } from '../../../../platform/security/remote-fetch.ts'
import type { Store } from '../../../../library-database/store.ts'
import { fetchNamed } from '../../../playground/index.ts'
import type { Accounts } from '../../../settings/index.ts'

interface VoicesDeps {
  readonly home: string
  readonly store: Pick<Store, 'accounts' | 'voices' | 'writable'>
  readonly files: Pick<MediaFiles, 'intake' | 'remove'>
  readonly api: Pick<Api, 'speech' | 'voices'>
  readonly accounts: Pick<Accounts, 'active' | 'list' | 'target'>
  readonly remote: RemoteDeps
  readonly clock: Clock
  readonly ids: Ids
  /** Called when the saved list of an account has changed. */
  onChange(accountId: string): void
}

/** Voices of the provider (service-notes 3), with a local copy of the list. */
export interface Voices {
  /**
   * Requests the list from the provider first unless `from` is `kept`; a failure is reported with the saved list. Throws
   * NOT_FOUND for an unknown account.
   */
  list(request: ParsedOf<'voices.list'>): Promise<VoiceList>
  /**
   * Returns the voice with its audio: the saved preview, otherwise the provider's own, or `text` generated with it. Throws
   * errors of getting it.
   */
  preview(request: ParsedOf<'voices.preview'>, signal?: AbortSignal): Promise<Voice>
  /**
   * Deletes the voice at the provider (service-notes 3); its narrations and its preview stay. Throws client errors.
   */
  remove(request: ParsedOf<'voices.remove'>): Promise<Voice>
}

export function createVoices(deps: VoicesDeps): Voices {
  const { store, api, accounts, clock } = deps
  const need = (accountId: string, voice: string): Voice => {
    const known = store.voices.get(accountId, voice)
    if (!known) throw new AppError('NOT_FOUND', 'Unknown voice')
    return known
  }
  /** Pending previews, so that a preview requested twice is downloaded or paid for once. */
  const getting = new Map<string, Promise<Voice>>()

  const nameOf = (name: string): string => `${name.replace(/[^\p{L}\p{N} _-]/gu, '_')}.wav`

  /** Downloads the preview of the provider from the URL in its list. */
  async function download(
    { accountId, downloadUrl, name }: Voice,
    signal: AbortSignal,
  ): Promise<Media> {
    if (downloadUrl === null)
      throw new AppError('NOT_FOUND', 'The provider has no preview of this voice')
    const bytes = await fetchNamed(deps, {
      address: downloadUrl,
      accountIds: new Set([accountId]),
      kind: /^audio\//,
      signal,
    })
    const media = await deps.files.intake(new Blob([new Uint8Array(bytes)]).stream(), nameOf(name))
    // Detected from its content: an HTML page is no audio, whatever its header claims.
    if (!media.mime.startsWith('audio/')) {
      await deps.files.remove(media.id)
      throw new AppError('REFUSED', 'The URL does not contain audio')
    }
    return media
  }
  /** Generates a text with the voice (service-notes 3). */
  async function speak(
    { accountId, voice, name }: Voice,
    text: string,
    signal: AbortSignal,
  ): Promise<Media> {
    const folder = join(deps.home, 'voices')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const to = join(folder, `${deps.ids()}.wav`)
    try {
      const target = await accounts.target(accountId)
      const request = { input: text, voice, format: 'wav', to } as const
      await api.speech.create(target, request, { signal }).catch((error: unknown) => {
        throw asNotOffered(error, 'textToSpeech')
      })
      return await deps.files.intake(
        Readable.toWeb(createReadStream(to)) as ReadableStream<Uint8Array>,
        nameOf(name),
      )
    } finally {
      await discard(to)
    }
  }
  async function get(
    { accountId = accounts.active().id, voice, text }: ParsedOf<'voices.preview'>,
    signal: AbortSignal,
  ): Promise<Voice> {
    const known = need(accountId, voice)
    const media = await (text === undefined ? download(known, signal) : speak(known, text, signal))
    const kind = text === undefined ? 'service' : 'spoken'
    store.voices.keepPreview(accountId, voice, { mediaId: media.id, kind })
    if (kind === 'spoken') store.voices.used(accountId, voice, clock())
    deps.onChange(accountId)
    return need(accountId, voice)
  }

  return {
    async list({ accountId = accounts.active().id, from, name = '' }) {
      const account = (await accounts.list()).find(({ id }) => id === accountId)
      if (!account) throw new AppError('NOT_FOUND', 'Account not found')
      const toVoiceList = (rest: Pick<VoiceList, 'found' | 'failure'>): VoiceList => ({
        accountId,
        accountName: account.name,
        ...store.voices.list(accountId),
        ...rest,
      })
      if (from === 'kept') return toVoiceList({ found: null, failure: null })
      try {
        const target = await accounts.target(accountId)
        const found = await fetchList(
          Infinity,
          store.voices.fetch,
          async () => {
            const { value } = await api.voices.list(target, name === '' ? {} : { name }, {})
            // The list has no pages, and may contain a voice twice.
            const rows = new Map(value.map((row) => [row.voice, { ...row, id: row.voice }]))
            rows.delete('')
            return { rows: [...rows.values()], total: rows.size }
          },
          (rows, { whole, fetch }) => {
            // A voice that a search does not find may still exist.
            const options = { whole: whole && name === '', fetch }
            if (store.writable) store.voices.keep(accountId, rows, clock(), options)
            return rows.map(({ voice }) => voice)
          },
        )
        return toVoiceList({ found: name === '' ? null : found, failure: null })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return toVoiceList({ found: null, failure: toFailure(error, clock()) })
      }
    },
    preview(request, signal = new AbortController().signal) {
      const { accountId = accounts.active().id, voice } = request
      const key = `${accountId} ${voice}`
      const running = getting.get(key)
      if (running) return running
      const work = get(request, signal).finally(() => getting.delete(key))
      getting.set(key, work)
      return work
    },
    async remove({ accountId = accounts.active().id, voice }) {
      need(accountId, voice)
      const target = await accounts.target(accountId)
      await api.voices.delete(target, { voice }, {})
      store.voices.gone(accountId, voice, clock())
      deps.onChange(accountId)
      return need(accountId, voice)
    },
  }
}
