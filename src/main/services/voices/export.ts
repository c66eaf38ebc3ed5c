import type { Media } from '../../../shared/model/library.ts'
import type { VoiceSample } from '../../../shared/model/sample.ts'
import { AppError } from '../../errors.ts'
import { displayName } from '../../media/display-name.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { PackEntry } from '../../audio/sample/messages.ts'
import type { Store } from '../../store/types.ts'
import type { SampleWork } from './sample-work.ts'

/** What exporting an own voice needs. */
export interface SampleExportDeps {
  readonly store: Pick<Store, 'media' | 'samples'>
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly work: Pick<SampleWork, 'pack'>
  readonly version: string
}

/**
 * An own voice as one archive: `voice.json` (who agreed to what, the words, where the sample came from, what was done to it and what was
 * cloned of it), the sample as it stands and as it was taken in, its words, and the sound of each clone. Housekeeping sweeps it a day
 * later. Throws NOT_FOUND.
 */
export async function exportSample(deps: SampleExportDeps, id: string): Promise<Media> {
  const { store, files } = deps
  const sample = store.samples.get(id)
  if (!sample) throw new AppError('NOT_FOUND', 'There is no such sample')
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
    // What is missing on the disk does not keep the rest from being saved; voice.json names it.
    await files.path(mediaId).then(
      (path) => entries.push({ name, path }),
      () => undefined,
    )
  const bytes = await deps.work.pack(entries)
  return files.intake(new Blob([bytes]).stream(), `${sample.title}.voice.zip`, bytes.length)
}

/** A name says what is in the archive, and leads nowhere else. */
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
