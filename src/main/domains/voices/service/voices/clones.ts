import type { Failure } from '../../../../../shared/contract/reply.ts'
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
import { AppError, asNotOffered } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { ClonePatch, CloneRecord } from '../../store/voice-samples.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { Retries, type Retry } from '../../../../work-queue/retries.ts'
import {
  isRepairable,
  maxAttempts,
  mayHaveBeenReceived,
} from '../../../../work-queue/retry-policy.ts'
import { waitUntilIdle } from '../../../../work-queue/wait-briefly.ts'
import type { Executed, WorkQueue } from '../../../../work-queue/work-queue.ts'

export interface ClonesDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'path'>
  readonly api: Pick<Api, 'files' | 'voices'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly workQueue: WorkQueue
  onSample(id: string): void
  /** Called when a voice was created: refreshes the saved list, and downloads or generates the preview. */
  onMade(clone: CloneRecord, signal: AbortSignal): Promise<void>
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
  /** Stops everything permanently, before all data is erased. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** Whether the clone request was sent: it is not sent again before the list of the provider shows that there is no voice. */
const isSent = ({ state }: CloneRecord): boolean => state === 'cloning' || state === 'asking'

export function createClones(deps: ClonesDeps): Clones {
  const { store, clock, api } = deps
  const { samples } = store
  const retries = new Retries<string>()

  const put = (id: string, patch: ClonePatch): CloneRecord => {
    const changed = samples.changeClone(id, patch)
    if (!changed) throw new AppError('NOT_FOUND', 'The voice no longer exists')
    deps.onSample(changed.itemId)
    return changed
  }

  async function uploaded(clone: CloneRecord, target: ServiceTarget, signal: AbortSignal) {
    if (clone.fileId !== null) return clone.fileId
    put(clone.id, { state: 'uploading', error: null })
    const sample = samples.get(clone.itemId)
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
    if (voice !== null)
      return made(put(clone.id, { state: 'done', voice, error: null, endedAt: clock() }), signal)
    const unsure =
      clone.error === null || ['TIMEOUT', 'OFFLINE', 'CANCELLED'].includes(clone.error.code)
    put(clone.id, { state: unsure ? 'unknown' : 'failed', endedAt: clock() })
  }

  /** The voice exists whatever happens to its preview. */
  async function made(clone: CloneRecord, signal: AbortSignal): Promise<void> {
    await deps.onMade(clone, signal).catch((error: unknown) => {
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
    await made(done, signal)
  }

  const execute = async (begun: CloneRecord, signal: AbortSignal): Promise<Executed> => {
    if (isSent(begun)) await settle(put(begun.id, { state: 'asking' }), signal)
    else
      await send(begun, signal).catch((error: unknown) => {
        throw asNotOffered(error, 'voiceCloning')
      })
    retries.delete(begun.id)
    return 'done'
  }

  const openClones = (accountId: string): readonly CloneRecord[] =>
    samples.openClones().filter((clone) => clone.accountId === accountId)
  const pending = ({ id }: CloneRecord): CloneRecord | undefined =>
    samples.openClones().find((clone) => clone.id === id)
  /** Of items in Trash, only the outcome of a request that was sent is looked up. */
  const isReady = (clone: CloneRecord, now: number): boolean =>
    retries.isDue(clone.id, now) && (isSent(clone) || samples.get(clone.itemId)?.deletedAt === null)

  const postpone = (clone: CloneRecord, error: Failure, retry: Retry): void => {
    if (!mayExist(clone, error)) {
      put(clone.id, { state: 'waiting', error })
      retries.set(clone.id, retry)
    } else if (clone.state === 'asking') {
      put(clone.id, { error: clone.error ?? error })
      retries.set(clone.id, retry)
    } else {
      // The list can be requested at once.
      put(clone.id, { state: 'asking', error })
      retries.delete(clone.id)
    }
  }
  const fail = (clone: CloneRecord, error: Failure): void => {
    put(clone.id, { state: 'failed', error, endedAt: clock() })
    retries.delete(clone.id)
  }

  const work = deps.workQueue.add<CloneRecord>({
    about: 'clone',
    // An account that may not clone voices can still list them.
    isOneOperation: false,
    id: ({ id }) => id,
    group: ({ itemId }) => itemId,
    takesTurns: false,
    priority: () => 0,
    accounts: () =>
      store.writable ? [...new Set(samples.openClones().map(({ accountId }) => accountId))] : [],
    size: (accountId) => store.accounts.get(accountId)?.profile.concurrency ?? 1,
    next: ({ accountId, at, except, exceptGroups }) =>
      openClones(accountId).find(
        (clone) =>
          !except.includes(clone.id) && !exceptGroups.includes(clone.itemId) && isReady(clone, at),
      ),
    nextTime: (after) => retries.next(after),
    execute,
    attempts: ({ id }) => retries.attempts(id) + 1,
    wait(begun, error, { why, at }) {
      const clone = pending(begun)
      if (!clone) return
      // An upload whose result could not be stored leaves a file behind each time.
      const attempts = retries.attempts(clone.id) + (why === 'again' || why === 'store' ? 1 : 0)
      if (attempts >= maxAttempts && !mayExist(clone, error)) fail(clone, error)
      else postpone(clone, error, { attempts, at: at ?? clock() })
    },
    fail(begun, error) {
      const clone = pending(begun)
      if (!clone) return
      if (mayExist(clone, error) || isRepairable(error.code))
        postpone(clone, error, { attempts: retries.attempts(clone.id), at: null })
      else fail(clone, error)
    },
    // Its item is in Trash or deleted: a restored one continues where it was.
    stopped() {},
    onAccount(accountId) {
      const { closed, reason } = work.status(accountId)
      if (closed === null || reason === null) return
      const inFlight = new Set(work.inFlight().map(({ id }) => id))
      for (const { id, state, error } of openClones(accountId))
        if (state === 'waiting' && error === null && !inFlight.has(id)) put(id, { error: reason })
    },
  })

  const forget = async (itemIds: readonly string[]): Promise<void> => {
    // A stopped one would be next again.
    for (const { itemId } of samples.openClones()) if (itemIds.includes(itemId)) work.pause(itemId)
    await work.stop(({ itemId }) => itemIds.includes(itemId))
  }

  return {
    begin({ id, voiceName, input, accountId = deps.accounts.active().id }) {
      const sample = samples.get(id)
      const account = store.accounts.get(accountId)
      if (!sample || !account) throw new AppError('NOT_FOUND', 'Voice sample or account not found')
      check(sample, voiceName, limitsWith(account.profile.limits).voiceClone.bytes)
      const name = voiceName.normalize('NFC')
      const { voices } = store.voices.list(accountId)
      const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase()
      const taken =
        voices.some((voice) => voice.goneAt === null && same(voice.name)) ||
        samples.openClones().some((one) => one.accountId === accountId && same(one.voiceName))
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
      samples.addClone(clone)
      deps.onSample(id)
      work.wake(accountId)
      work.kick()
      const { itemId: _, fileId: __, ...view } = clone
      return view
    },
    resume: () => work.kick(),
    accountReady(accountId) {
      for (const clone of openClones(accountId))
        retries.set(clone.id, { attempts: retries.attempts(clone.id), at: clock() })
      work.wake(accountId)
    },
    forget,
    restored(itemIds) {
      for (const itemId of itemIds) work.resume(itemId)
      for (const { itemId, accountId } of samples.openClones())
        if (itemIds.includes(itemId)) work.wake(accountId)
    },
    busy: () => work.busy(),
    async stopAll() {
      await forget(samples.openClones().map(({ itemId }) => itemId))
      // Previews of finished ones write rows.
      await work.stop(() => true)
      await waitUntilIdle(() => work.busy())
    },
    shutdown: () => work.shutdown(),
  }
}

/** Whether the voice may exist in spite of a failure: a server error does not say what was done before it. */
const mayExist = (clone: CloneRecord, failure: Failure): boolean =>
  clone.state === 'asking' ||
  (clone.state === 'cloning' && (mayHaveBeenReceived(failure) || failure.code === 'SERVER_ERROR'))

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
