import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import {
  sampleRules,
  type SampleBrief,
  type SampleFix,
  type SampleReport,
  type SampleSource,
  type SampleVersion,
  type VoiceSample,
} from '../../../../../shared/model/sample.ts'
import type { Clock, Ids } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { Store } from '../../../../library-database/store.ts'
import { displayTitle } from '../../../../platform/text/display-title.ts'
import type { MadeSample, SampleWork } from './sample-work.ts'
import type { SampleTexts } from './texts.ts'

interface SamplesDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly work: SampleWork
  readonly texts: Pick<SampleTexts, 'transcribe' | 'write'>
  readonly clock: Clock
  readonly ids: Ids
  /** Returns the folder of a meeting's audio. */
  sessionFolder(meetingId: string): string
  /** Called when a sample has changed. */
  onSample(id: string): void
}

/** Samples of cloned voices: imported, checked and fixed step by step, with each step saved. */
export interface Samples {
  list(): readonly SampleBrief[]
  /** Throws NOT_FOUND. */
  get(id: string): VoiceSample
  /** Throws decoding errors, NOT_FOUND for an unknown file or meeting. */
  take(request: ParsedOf<'voices.createSample'>): Promise<VoiceSample>
  /** Creates a new version and runs the checks again. Throws BAD_REQUEST if nothing would be left. */
  fix(id: string, fix: SampleFix): Promise<VoiceSample>
  /** Selects another version; used for undo and redo. */
  use(id: string, versionId: string): VoiceSample
  /** Sets the text, language and consent. */
  describe(request: ParsedOf<'voices.describeSample'>): VoiceSample
}

/** Minimum length of a sample after a fix, in milliseconds: a click is no sample. */
const minLeftMs = 200

export function createSamples(deps: SamplesDeps): Samples {
  const { store, files, work, clock, ids } = deps
  const need = (id: string): VoiceSample => {
    const sample = store.samples.get(id)
    if (!sample) throw new AppError('NOT_FOUND', 'Voice sample not found')
    return sample
  }
  const notify = (id: string): VoiceSample => {
    deps.onSample(id)
    return need(id)
  }

  async function keep(
    made: MadeSample,
    name: string,
    from: Pick<SampleVersion, 'parentId' | 'fix'>,
  ): Promise<{ readonly version: SampleVersion; readonly report: SampleReport }> {
    const media = await files.intake(new Blob([made.bytes]).stream(), `${name}.wav`)
    const report = await work.inspect(await files.path(media.id))
    store.media.put({ ...media, duration: report.durationMs / 1000 })
    const version = {
      id: ids(),
      mediaId: media.id,
      ...from,
      durationMs: report.durationMs,
      createdAt: clock(),
    }
    return { version, report }
  }

  async function taken(request: ParsedOf<'voices.createSample'>): Promise<{
    readonly made: MadeSample
    readonly source: SampleSource
    readonly title: string
  }> {
    const { from } = request
    if ('meetingId' in from) {
      const { meetingId, channel, startMs, endMs } = from
      const meeting = store.items.summary(meetingId)
      if (!meeting) throw new AppError('NOT_FOUND', 'Meeting not found')
      const folder = deps.sessionFolder(meetingId)
      const { title } = meeting
      return {
        made: await work.cut(folder, channel, { startMs, endMs }),
        source: { kind: 'meeting', meetingId, title, channel, startMs, endMs },
        title,
      }
    }
    const media = store.media.get(from.mediaId)
    if (!media) throw new AppError('FILE_MISSING', 'File not found')
    const made = await work.take(await files.path(media.id))
    const { name } = media
    if (from.recorded) return { made, source: { kind: 'recorded' }, title: '' }
    return {
      made,
      source: { kind: 'file', name, cut: made.more },
      title: name.replace(/\.[^.]*$/, ''),
    }
  }

  return {
    list: () => store.samples.list(),
    get: need,
    async take(request) {
      const { made, source, title } = await taken(request)
      const name = displayTitle(request.title ?? (title === '' ? 'Voice' : title))
      const { version, report } = await keep(made, name, { parentId: null, fix: null })
      const id = ids()
      store.transaction(() => {
        store.items.create({
          id,
          kind: 'voice',
          title: name,
          mediaId: version.mediaId,
          at: clock(),
        })
        store.samples.create(id, { source, language: request.language }, version, report)
      })
      if (request.text !== '') deps.texts.write(need(id), request.text)
      else if (fits(report)) deps.texts.transcribe(id)
      return notify(id)
    },
    async fix(id, fix) {
      const before = need(id)
      const current = before.versions.find((one) => one.id === before.versionId)
      if (!current) throw new AppError('NOT_FOUND', 'The voice sample has no version')
      const made = await work.fix(await files.path(current.mediaId), fix)
      const left = made.bytes.length - 44
      if (left / 2 / before.report.sampleRate < minLeftMs / 1000)
        throw new AppError('BAD_REQUEST', 'The fix would leave too little of the sample')
      const parentId = current.id
      const { version, report } = await keep(made, before.title, { parentId, fix })
      // Pressed twice, or nothing to fix: the current version is already the requested one.
      if (version.mediaId === current.mediaId) return before
      // Two concurrent fixes would each omit the other.
      if (need(id).versionId !== parentId)
        throw new AppError('REFUSED', 'The sample was changed in the meantime')
      store.samples.addVersion(id, version, report)
      const { text } = need(id)
      const untranscribed = text.state === 'none' || text.state === 'failed'
      const shorter = fix.type === 'trim' && text.state !== 'none'
      if ((untranscribed || shorter) && fits(report)) deps.texts.transcribe(id)
      return notify(id)
    },
    use(id, versionId) {
      store.samples.useVersion(id, versionId)
      return notify(id)
    },
    describe({ id, text, language, consent }) {
      const sample = need(id)
      store.transaction(() => {
        if (language !== undefined) store.samples.change(id, { language })
        if (consent !== undefined)
          store.samples.change(id, { consent: { ...consent, at: clock() } })
        if (text !== undefined) deps.texts.write(sample, text)
      })
      return notify(id)
    },
  }
}

/** Returns whether transcription accepts the sample and it contains speech. */
const fits = ({ durationMs, checks }: SampleReport): boolean =>
  durationMs <= sampleRules.maxMs &&
  !checks.some(({ name, reason }) => name === 'speech' && reason === 'silent')
