import type { Media } from '../../../../../shared/model/library.ts'
import type { VoiceSample } from '../../../../../shared/model/sample.ts'
import { AppError } from '../../../../errors.ts'
import { displayName } from '../../../../platform/files/display-name.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { PackEntry } from '../../worker/sample/messages.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { SampleWork } from './sample-work.ts'

interface SampleExportDeps {
  readonly store: Pick<Store, 'media' | 'samples'>
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly work: Pick<SampleWork, 'pack'>
  readonly version: string
}

/**
 * Exports a cloned voice as one archive: `voice.json` (consent, text, origin of the sample, its edits and clones), the
 * current and the original sample, its text, and the audio of each clone. Housekeeping removes the archive a day later.
 * Throws NOT_FOUND.
 */
export async function exportSample(deps: SampleExportDeps, id: string): Promise<Media> {
  const { store, files } = deps
  const sample = store.samples.get(id)
  if (!sample) throw new AppError('NOT_FOUND', 'Voice sample not found')
  const [first] = sample.versions
  const now = sample.versions.find((one) => one.id === sample.versionId)
  const audioFiles = [
    ...(now ? [{ name: 'sample.wav', mediaId: now.mediaId }] : []),
    ...(first && first.id !== now?.id ? [{ name: 'original.wav', mediaId: first.mediaId }] : []),
    ...sample.clones.flatMap(({ voiceName, previewId }, i) =>
      previewId === null
        ? []
        : [
            {
              name: `clones/${i + 1}-${safe(voiceName)}${endingOf(store.media.get(previewId))}`,
              mediaId: previewId,
            },
          ],
    ),
  ]
  const entries: PackEntry[] = [
    { name: 'voice.json', text: JSON.stringify(descriptionOf(sample, deps.version), null, 2) },
    { name: 'words.txt', text: `${sample.text.text}\n` },
  ]
  for (const { name, mediaId } of audioFiles)
    // A file missing on disk does not prevent saving the rest; voice.json lists it.
    await files.path(mediaId).then(
      (path) => entries.push({ name, path }),
      () => undefined,
    )
  const bytes = await deps.work.pack(entries)
  return files.intake(new Blob([bytes]).stream(), `${sample.title}.voice.zip`, bytes.length)
}

/** Removes path separators from a name, so that it cannot lead outside the archive. */
const safe = (name: string): string => displayName(name.replace(/[/\\]/g, '_'))

const endingOf = (media: Media | undefined): string =>
  media?.mime === 'audio/mpeg' ? '.mp3' : '.wav'

const descriptionOf = (sample: VoiceSample, appVersion: string) => ({
  format: 'lectern.voice',
  version: 1,
  appVersion,
  title: sample.title,
  createdAt: new Date(sample.createdAt).toISOString(),
  language: sample.language,
  consent: sample.consent && { ...sample.consent, at: new Date(sample.consent.at).toISOString() },
  source: sample.source,
  words: sample.text.text,
  wordsBy: sample.text.state === 'heard' ? sample.text.model : sample.text.state,
  durationMs: sample.report.durationMs,
  checks: sample.report.checks,
  changes: sample.versions.flatMap(({ fix }) => (fix ? [fix] : [])),
  clones: sample.clones.map((clone) => ({
    voice: clone.voice,
    voiceName: clone.voiceName,
    service: clone.accountName,
    state: clone.state,
    says: clone.input,
    createdAt: new Date(clone.createdAt).toISOString(),
  })),
})
