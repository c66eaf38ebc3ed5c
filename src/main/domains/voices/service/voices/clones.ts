import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import {
  sampleRules,
  type VoiceClone,
  type VoiceSample,
} from '../../../../../shared/model/sample.ts'
import { limitsWith } from '../../../../../shared/provider/limits.ts'
import type { ServiceTarget } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Ids, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { ClonePatch, CloneRecord } from '../../store/voice-samples.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { isRepairable, neverSent } from '../../../../work-queue/retry-policy.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'

export interface ClonesDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'path'>
  readonly api: Pick<Api, 'files' | 'voices'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  onSample(id: string): void
  /** Called when a voice was created: refreshes the saved list, and downloads or generates the preview. */
  onMade(clone: CloneRecord): Promise<void>
}

/**
 * Clones (service-notes 3) as rows that survive a crash: an interrupted sample upload is repeated, but the clone request
 * itself is sent only once. If it is unknown whether it was received, the provider's list is searched for the name.
 */
export interface Clones {
  /**
   * Throws REFUSED without consent or for a name that is taken, LIMIT_EXCEEDED for a sample that the provider does not
   * accept.
   */
  begin(request: ParsedOf<'voices.clone'>): VoiceClone
  resume(): void
  accountReady(accountId: string): void
  forget(itemIds: readonly string[]): Promise<void>
  /** Called when items are restored from the Trash: pending clones continue. */
  restored(itemIds: readonly string[]): void
  busy(): boolean
  shutdown(): Promise<void>
}

/**
 * Returns whether the voice may have been created despite the error; for other errors, the provider has definitely
 * rejected it.
 */
const maybeMade = (error: AppError): boolean =>
  ['TIMEOUT', 'OFFLINE', 'MALFORMED_REPLY', 'SERVER_ERROR', 'CANCELLED', 'STREAM_CUT'].includes(
    error.code,
  )

/** Number of interrupted uploads of one sample before the user has to act. */
const maxBroken = 5

export function createClones(deps: ClonesDeps): Clones {
  const { store, clock, api } = deps
  /** Interrupted uploads by clone: the network returns each time and interrupts them again. */
  const broken = new Map<string, number>()
  const running = new Map<string, { readonly controller: AbortController; done: Promise<void> }>()

  const put = (id: string, patch: ClonePatch): CloneRecord => {
    const changed = store.samples.changeClone(id, patch)
    if (!changed) throw new AppError('NOT_FOUND', 'The voice no longer exists')
    deps.onSample(changed.itemId)
    return changed
  }

  async function uploaded(clone: CloneRecord, target: ServiceTarget, signal: AbortSignal) {
    if (clone.fileId !== null) return clone.fileId
    put(clone.id, { state: 'uploading', error: null })
    const sample = store.samples.get(clone.itemId)
    const version = sample?.versions.find((one) => one.id === clone.versionId)
    const media = version && store.media.get(version.mediaId)
    if (!media) throw new AppError('FILE_MISSING', 'The voice sample no longer exists')
    const file = {
      path: await deps.files.path(media.id),
      bytes: media.bytes,
      name: 'sample.wav',
      mime: 'audio/wav',
    }
    const { value } = await api.files.upload(
      target,
      { file, purpose: 'voice-clone-input' },
      { signal },
    )
    put(clone.id, { fileId: value.id })
    return value.id
  }

  /**
   * Returns the ID of the voice if the provider has it after all, otherwise null. Throws if the list cannot be requested.
   */
  async function findVoice(clone: CloneRecord, signal: AbortSignal): Promise<string | null> {
    const target = await deps.accounts.target(clone.accountId)
    const { value } = await api.voices.list(
      target,
      { name: clone.voiceName, type: 'PRIVATE' },
      { signal },
    )
    return value.find(({ name }) => name === clone.voiceName)?.voice ?? null
  }

  async function settle(clone: CloneRecord, signal: AbortSignal): Promise<void> {
    const voice = await findVoice(clone, signal)
    if (voice === null) {
      const unsure =
        clone.error === null || ['TIMEOUT', 'OFFLINE', 'CANCELLED'].includes(clone.error.code)
      put(clone.id, { state: unsure ? 'unknown' : 'failed', endedAt: clock() })
      return
    }
    await made(put(clone.id, { state: 'done', voice, error: null, endedAt: clock() }))
  }

  /** The voice exists whatever happens to its preview. */
  async function made(clone: CloneRecord): Promise<void> {
    await deps.onMade(clone).catch((error: unknown) => {
      if (!(error instanceof AppError)) deps.log.error('failed to create a preview', { error })
    })
    deps.onSample(clone.itemId)
  }

  async function send(clone: CloneRecord, signal: AbortSignal): Promise<void> {
    const target = await deps.accounts.target(clone.accountId)
    const fileId = await uploaded(clone, target, signal)
    signal.throwIfAborted()
    put(clone.id, { state: 'cloning', error: null })
    const { voiceName, input, text } = clone
    const answer = await api.voices.clone(
      target,
      { voiceName, input, fileId, ...(text !== '' && { text }) },
      { signal },
    )
    const { voice } = answer.value
    const done = put(clone.id, {
      state: 'done',
      voice,
      notice: answer.notice,
      error: null,
      endedAt: clock(),
    })
    await made(done)
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    const clone = store.samples.clone(id)
    if (!clone) return
    try {
      // It was sent when the app ended, so it is never sent again automatically.
      if (clone.state === 'cloning' || clone.state === 'asking') {
        await settle(put(id, { state: 'asking' }), signal)
        return
      }
      // Nothing is done with items in the Trash.
      if (store.samples.get(clone.itemId)?.deletedAt !== null) return
      await send(clone, signal)
    } catch (error) {
      if (signal.aborted) return
      const now = store.samples.clone(id)
      if (!now) return
      if (!(error instanceof AppError)) deps.log.error('failed to clone a voice', { error })
      await failed(now, error, signal)
    }
  }

  async function failed(clone: CloneRecord, error: unknown, signal: AbortSignal): Promise<void> {
    const failure = toFailure(error, clock())
    const known = error instanceof AppError ? error : null
    // The provider may have created it, and only the list can show it: checked again when the account is available.
    if (clone.state === 'asking') return void put(clone.id, { error: clone.error ?? failure })
    if (known && (neverSent(known) || isRepairable(known.code)))
      return void put(clone.id, { state: 'waiting', error: failure })
    // If the store rejects writes, it is as uncertain whether the voice was created as without a response.
    const mayBe = known && (maybeMade(known) || isStoreProblem(known))
    if (clone.state !== 'cloning' || !mayBe) {
      // An interrupted upload leaves at most a file behind, and continues automatically when the network is back.
      const breaks = (broken.get(clone.id) ?? 0) + 1
      const again = known?.code === 'OFFLINE' && clone.state === 'uploading' && breaks < maxBroken
      if (again) broken.set(clone.id, breaks)
      else broken.delete(clone.id)
      return void put(clone.id, {
        state: again ? 'waiting' : 'failed',
        error: failure,
        endedAt: again ? null : clock(),
      })
    }
    const checking = put(clone.id, { state: 'asking', error: failure })
    await settle(checking, signal).catch(() => undefined)
  }

  function start(id: string): void {
    if (running.has(id)) return
    const controller = new AbortController()
    const done = run(id, controller.signal)
      .catch((error: unknown) => deps.log.error('failed to finish cloning a voice', { error }))
      .finally(() => running.delete(id))
    running.set(id, { controller, done })
  }

  return {
    begin({ id, voiceName, input, accountId = deps.accounts.active().id }) {
      const sample = store.samples.get(id)
      const account = store.accounts.get(accountId)
      if (!sample || !account) throw new AppError('NOT_FOUND', 'Voice sample or account not found')
      check(sample, voiceName, limitsWith(account.profile.limits).voiceClone.bytes)
      const name = voiceName.normalize('NFC')
      const { voices } = store.voices.list(accountId)
      const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase()
      const taken =
        voices.some((voice) => voice.goneAt === null && same(voice.name)) ||
        store.samples.openClones().some((one) => one.accountId === accountId && same(one.voiceName))
      if (taken)
        throw new AppError('REFUSED', 'A voice with this name already exists', {
          params: { what: 'voice-name', name },
        })
      const clone: CloneRecord = {
        id: deps.ids(),
        itemId: id,
        versionId: sample.versionId,
        accountId,
        accountName: account.name,
        voiceName: name,
        input,
        text: sample.text.text,
        state: 'waiting',
        fileId: null,
        voice: null,
        previewId: null,
        previewKind: null,
        notice: null,
        error: null,
        createdAt: clock(),
        endedAt: null,
      }
      store.samples.addClone(clone)
      deps.onSample(id)
      start(clone.id)
      const { itemId: _, fileId: __, ...view } = clone
      return view
    },
    resume() {
      for (const { id } of store.samples.openClones()) start(id)
    },
    accountReady(accountId) {
      for (const clone of store.samples.openClones())
        if (
          clone.accountId === accountId &&
          (clone.state === 'waiting' || clone.state === 'asking')
        )
          start(clone.id)
    },
    async forget(itemIds) {
      const gone = store.samples.openClones().filter(({ itemId }) => itemIds.includes(itemId))
      for (const { id } of gone) running.get(id)?.controller.abort()
      for (const { id } of gone) await running.get(id)?.done
    },
    restored(itemIds) {
      for (const { id, itemId } of store.samples.openClones())
        if (itemIds.includes(itemId)) start(id)
    },
    busy: () => running.size > 0,
    async shutdown() {
      for (const { controller } of running.values()) controller.abort()
      await Promise.all(Array.from(running.values(), ({ done }) => done))
    },
  }
}

function check({ consent, report }: VoiceSample, name: string, maxBytes: number): void {
  if (!consent)
    throw new AppError('REFUSED', 'The consent of the speaker is missing', {
      params: { what: 'consent' },
    })
  if (!/^[\p{L}\p{N}_-]{1,64}$/u.test(name.normalize('NFC')))
    throw new AppError('BAD_REQUEST', 'The name contains unsupported characters', {
      params: { what: 'voice-name' },
    })
  const { minMs, maxMs } = sampleRules
  const { durationMs, bytes } = report
  if (durationMs < minMs || durationMs > maxMs)
    throw new AppError('LIMIT_EXCEEDED', 'The sample is too short or too long', {
      params: { what: 'sample', limit: maxMs, value: durationMs },
    })
  if (bytes > maxBytes)
    throw new AppError('FILE_TOO_LARGE', 'The sample is too large', {
      params: { limit: maxBytes, value: bytes },
    })
}
