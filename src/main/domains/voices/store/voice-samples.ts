import type { Failure } from '../../../../shared/contract/reply.ts'
import type {
  CloneState,
  SampleBrief,
  SampleReport,
  SampleText,
  SampleVersion,
  VoiceClone,
  VoiceSample,
} from '../../../../shared/model/sample.ts'
import type { Clock } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'
import { putSearchRow } from '../../../platform/database/search-rows.ts'
import { excerptOf } from '../../../platform/text/display-title.ts'

/** Clone with fields only for the main process. */
export interface CloneRecord extends VoiceClone {
  readonly itemId: string
  /** ID of the uploaded sample. */
  readonly fileId: string | null
}

/** Fields of a clone that can change. */
export type ClonePatch = Partial<
  Pick<
    CloneRecord,
    'state' | 'fileId' | 'voice' | 'previewId' | 'previewKind' | 'notice' | 'error' | 'endedAt'
  >
>

/** The user's voices with their samples. The item itself is created by the item store. */
export interface VoiceSampleStore {
  /** Newest first, without those in Trash. */
  list(): readonly SampleBrief[]
  /** Returns undefined if it is gone. */
  get(id: string): VoiceSample | undefined
  create(
    id: string,
    sample: Pick<VoiceSample, 'source' | 'language'>,
    first: SampleVersion,
    report: SampleReport,
  ): void
  /** Adds a version and makes it the current one. */
  addVersion(id: string, version: SampleVersion, report: SampleReport): void
  /** Makes another version the current one. Throws NOT_FOUND if it does not exist. */
  useVersion(id: string, versionId: string): void
  change(
    id: string,
    patch: Partial<Pick<VoiceSample, 'language' | 'consent'>> & { readonly text?: SampleText },
  ): void
  addClone(clone: CloneRecord): void
  changeClone(id: string, patch: ClonePatch): CloneRecord | undefined
  /** Returns the unfinished clones, oldest first. */
  openClones(): readonly CloneRecord[]
  /** Returns samples outside Trash whose transcription was interrupted. */
  untranscribed(): readonly string[]
}

const open: readonly CloneState[] = ['waiting', 'uploading', 'cloning', 'asking']

const untranscribed = { heard: null, fit: null } as const

const columns = {
  state: 'state',
  fileId: 'file_id',
  voice: 'voice',
  previewId: 'preview_id',
  previewKind: 'preview_kind',
  notice: 'notice',
  error: 'error',
  endedAt: 'ended_at',
} as const satisfies Record<keyof ClonePatch, string>

const selectClone = `SELECT c.*, i.id AS item_id FROM voice_clones c JOIN items i ON i.seq = c.item_seq`
const selectBrief = `SELECT i.id, i.seq, i.title, i.created_at, i.deleted_at, s.*, v.duration_ms, v.report,
    (SELECT state FROM voice_clones WHERE item_seq = i.seq ORDER BY seq DESC LIMIT 1) AS last_state,
    EXISTS (SELECT 1 FROM voice_clones WHERE item_seq = i.seq AND state = 'done') AS cloned
  FROM voice_samples s JOIN items i ON i.seq = s.item_seq JOIN voice_versions v ON v.id = s.version_id`

/** The text of a sample `s`, which is searched with the title of its voice. */
export const sampleTextSql = `iif(json_valid(s.text), coalesce(s.text ->> 'text', ''), '')`

/** Updates the search row of a voice, in the caller's transaction; returns the text of its sample. */
export function indexSample(connection: Connection, seq: number): string {
  const row = connection.get<{ title: string; text: string }>(
    `SELECT i.title, ${sampleTextSql} AS text FROM items i JOIN voice_samples s ON s.item_seq = i.seq WHERE i.seq = ?`,
    seq,
  )
  if (row) putSearchRow(connection, { seq, number: 0, ...row })
  return row?.text ?? ''
}

/** Creates the store of voice samples and clones. */
export function voiceSampleStore(connection: Connection, clock: Clock): VoiceSampleStore {
  const seqOf = (id: string): number => {
    const row = connection.get<{ seq: number }>(
      'SELECT i.seq FROM voice_samples s JOIN items i ON i.seq = s.item_seq WHERE i.id = ?',
      id,
    )
    if (!row) throw new AppError('NOT_FOUND', 'Voice sample not found')
    return row.seq
  }
  const insertVersion = (seq: number, version: SampleVersion, report: SampleReport): void =>
    void connection.run(
      `INSERT INTO voice_versions(id, item_seq, media_id, parent_id, made, duration_ms, report, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      version.id,
      seq,
      version.mediaId,
      version.parentId,
      version.fix && JSON.stringify(version.fix),
      version.durationMs,
      JSON.stringify(report),
      version.createdAt,
    )
  const clone = (id: string): CloneRecord | undefined => {
    const row = connection.get<CloneRow>(`${selectClone} WHERE c.id = ?`, id)
    return row && toClone(row)
  }
  const clonesOf = (seq: number): readonly VoiceClone[] =>
    connection
      .all<CloneRow>(`${selectClone} WHERE c.item_seq = ? ORDER BY c.seq DESC`, seq)
      .map(toClone)
      .map(({ itemId: _, fileId: __, ...view }) => view)

  return {
    list: () =>
      connection
        .all<SampleRow>(
          `${selectBrief} WHERE i.deleted_at IS NULL ORDER BY i.created_at DESC, i.seq DESC`,
        )
        .map(toBrief),
    get(id) {
      const row = connection.get<SampleRow>(`${selectBrief} WHERE i.id = ?`, id)
      const report = parsed<SampleReport>(row?.report ?? null)
      const text = parsed<SampleText>(row?.text ?? null)
      const source = parsed<VoiceSample['source']>(row?.source ?? null)
      if (!row || !report || !text || !source) return undefined
      return {
        ...toBrief(row),
        deletedAt: row.deleted_at,
        source,
        language: row.language,
        versions: connection
          .all<VersionRow>('SELECT * FROM voice_versions WHERE item_seq = ? ORDER BY seq', row.seq)
          .map(toVersion),
        versionId: row.version_id,
        report,
        // Rows of earlier app versions do not contain the transcription state.
        text: { ...untranscribed, ...text },
        clones: clonesOf(row.seq),
      }
    },
    create(id, { source, language }, first, report) {
      connection.transaction(() => {
        const item = connection.get<{ seq: number }>('SELECT seq FROM items WHERE id = ?', id)
        if (!item) throw new AppError('NOT_FOUND', 'Item not found')
        const text: SampleText = {
          text: '',
          state: 'none',
          versionId: null,
          ...untranscribed,
          model: null,
          notice: null,
          error: null,
        }
        connection.run(
          'INSERT INTO voice_samples(item_seq, source, language, version_id, text) VALUES (?, ?, ?, ?, ?)',
          item.seq,
          JSON.stringify(source),
          language,
          first.id,
          JSON.stringify(text),
        )
        insertVersion(item.seq, first, report)
      })
    },
    addVersion(id, version, report) {
      connection.transaction(() => {
        const seq = seqOf(id)
        insertVersion(seq, version, report)
        connection.run(
          'UPDATE voice_samples SET version_id = ? WHERE item_seq = ?',
          version.id,
          seq,
        )
      })
    },
    useVersion(id, versionId) {
      const seq = seqOf(id)
      const { changes } = connection.run(
        `UPDATE voice_samples SET version_id = ? WHERE item_seq = ?
           AND EXISTS (SELECT 1 FROM voice_versions v WHERE v.id = ? AND v.item_seq = ?)`,
        versionId,
        seq,
        versionId,
        seq,
      )
      if (changes === 0)
        throw new AppError('NOT_FOUND', 'The voice sample does not have this version')
    },
    change(id, { language, consent, text }) {
      connection.transaction(() => {
        const seq = seqOf(id)
        connection.run(
          `UPDATE voice_samples SET language = coalesce(?, language), consent = coalesce(?, consent), text = coalesce(?, text)
           WHERE item_seq = ?`,
          language ?? null,
          consent ? JSON.stringify(consent) : null,
          text ? JSON.stringify(text) : null,
          seq,
        )
        if (!text) return
        connection.run(
          'UPDATE items SET excerpt = ?, updated_at = ? WHERE seq = ?',
          excerptOf(indexSample(connection, seq)),
          clock(),
          seq,
        )
      })
    },
    addClone(made) {
      connection.run(
        `INSERT INTO voice_clones(id, item_seq, version_id, account_id, account_name, voice_name, input, text, state, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        made.id,
        seqOf(made.itemId),
        made.versionId,
        made.accountId,
        made.accountName,
        made.voiceName,
        made.input,
        made.text,
        made.state,
        made.createdAt,
      )
    },
    changeClone(id, patch) {
      const fields = (Object.keys(columns) as (keyof ClonePatch)[]).filter(
        (field) => patch[field] !== undefined,
      )
      if (fields.length === 0) return clone(id)
      connection.run(
        `UPDATE voice_clones SET ${fields.map((field) => `${columns[field]} = ?`).join(', ')} WHERE id = ?`,
        ...fields.map((field) =>
          field === 'error'
            ? patch.error
              ? JSON.stringify(patch.error)
              : null
            : (patch[field] ?? null),
        ),
        id,
      )
      return clone(id)
    },
    openClones: () =>
      connection
        .all<CloneRow>(
          `${selectClone} WHERE c.state IN ('waiting', 'uploading', 'cloning', 'asking') ORDER BY c.seq`,
        )
        .map(toClone),
    untranscribed: () =>
      connection
        .all<{ id: string }>(
          `SELECT i.id FROM voice_samples s JOIN items i ON i.seq = s.item_seq
             WHERE s.text ->> 'state' = 'hearing' AND i.deleted_at IS NULL`,
        )
        .map(({ id }) => id),
  }
}

const toBrief = (row: SampleRow): SampleBrief => ({
  id: row.id,
  title: row.title,
  durationMs: row.duration_ms,
  state: briefState(row),
  consent: parsed(row.consent),
  createdAt: row.created_at,
})

function briefState({ last_state: last, cloned }: SampleRow): SampleBrief['state'] {
  if (last !== null && open.includes(last)) return 'working'
  if (cloned === 1) return 'cloned'
  return last === null ? 'draft' : 'failed'
}

/** Sample with its item, its current version, and the state of its clones. */
interface SampleRow {
  readonly id: string
  readonly seq: number
  readonly title: string
  readonly created_at: number
  readonly deleted_at: number | null
  readonly source: string
  readonly language: string
  readonly version_id: string
  readonly text: string
  readonly consent: string | null
  readonly duration_ms: number
  readonly report: string
  readonly last_state: CloneState | null
  readonly cloned: number
}

/** Row of `voice_versions`. */
interface VersionRow {
  readonly id: string
  readonly media_id: string
  readonly parent_id: string | null
  readonly made: string | null
  readonly duration_ms: number
  readonly created_at: number
}

/** Row of `voice_clones` with the ID of its item. */
interface CloneRow {
  readonly id: string
  readonly item_id: string
  readonly version_id: string
  readonly account_id: string
  readonly account_name: string
  readonly voice_name: string
  readonly input: string
  readonly text: string
  readonly state: CloneState
  readonly file_id: string | null
  readonly voice: string | null
  readonly preview_id: string | null
  readonly preview_kind: 'service' | 'spoken' | null
  readonly notice: string | null
  readonly error: string | null
  readonly created_at: number
  readonly ended_at: number | null
}

/** Converts a row to a version. */
const toVersion = (row: VersionRow): SampleVersion => ({
  id: row.id,
  mediaId: row.media_id,
  parentId: row.parent_id,
  fix: parsed(row.made),
  durationMs: row.duration_ms,
  createdAt: row.created_at,
})

/** Converts a row to a clone, with fields only for the main process. */
const toClone = (
  row: CloneRow,
): VoiceClone & { readonly itemId: string; readonly fileId: string | null } => ({
  id: row.id,
  itemId: row.item_id,
  versionId: row.version_id,
  accountId: row.account_id,
  accountName: row.account_name,
  voiceName: row.voice_name,
  input: row.input,
  text: row.text,
  state: row.state,
  fileId: row.file_id,
  voice: row.voice,
  previewId: row.preview_id,
  previewKind: row.preview_kind,
  notice: row.notice,
  error: parsed<Failure>(row.error),
  createdAt: row.created_at,
  endedAt: row.ended_at,
})
