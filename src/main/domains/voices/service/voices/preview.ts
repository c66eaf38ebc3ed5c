import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Media } from '../../../../../shared/model/library.ts'
import type { Voice } from '../../../../../shared/model/voice.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Ids } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import { discard } from '../../../../../system/file-moves.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { RemoteDeps } from '../../../../platform/security/remote-fetch.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { fetchNamed } from '../../../playground/index.ts'

export interface PreviewDeps {
  readonly home: string
  readonly store: Pick<Store, 'accounts'>
  readonly files: Pick<MediaFiles, 'intake' | 'remove'>
  readonly api: Pick<Api, 'speech'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
  readonly ids: Ids
}

/** Gets voice previews and saves them as media. */
export interface Previews {
  /**
   * Downloads the provider's preview from the URL in its list. Throws download errors, and NOT_FOUND if it listed none.
   */
  fetch(voice: Pick<Voice, 'accountId' | 'downloadUrl' | 'name'>): Promise<Media>
  /** Generates a text with the voice (service-notes 3). Throws client errors. */
  speak(voice: Pick<Voice, 'accountId' | 'voice' | 'name'>, text: string): Promise<Media>
}

export function createPreviews(deps: PreviewDeps): Previews {
  const folder = join(deps.home, 'voices')
  const nameOf = (name: string): string => `${name.replace(/[^\p{L}\p{N} _-]/gu, '_')}.wav`

  return {
    async fetch({ accountId, downloadUrl, name }) {
      if (downloadUrl === null)
        throw new AppError('NOT_FOUND', 'The provider has no preview of this voice')
      const bytes = await fetchNamed(deps, {
        address: downloadUrl,
        accountIds: new Set([accountId]),
        kind: /^audio\//,
        signal: new AbortController().signal,
      })
      const media = await deps.files.intake(
        new Blob([new Uint8Array(bytes)]).stream(),
        nameOf(name),
      )
      // Detected from its content: an HTML page is no audio, whatever its header claims.
      if (!media.mime.startsWith('audio/')) {
        await deps.files.remove(media.id)
        throw new AppError('REFUSED', 'The URL does not contain audio')
      }
      return media
    },
    async speak({ accountId, voice, name }, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const to = join(folder, `${deps.ids()}.wav`)
      try {
        const target = await deps.accounts.target(accountId)
        await deps.api.speech.create(target, { input: text, voice, format: 'wav', to }, {})
        return await deps.files.intake(
          Readable.toWeb(createReadStream(to)) as ReadableStream<Uint8Array>,
          nameOf(name),
        )
      } finally {
        await discard(to)
      }
    },
  }
}
