import type { Failure } from '../../shared/bridge/reply.ts'
import type { CloneState, SampleVersion, VoiceClone } from '../../shared/model/sample.ts'
import { parsed } from './meetings-rows.ts'

/** Sample with its item, its current version, and the state of its clones. */
export interface SampleRow {
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
export interface VersionRow {
  readonly id: string
  readonly media_id: string
  readonly parent_id: string | null
  readonly made: string | null
  readonly duration_ms: number
  readonly created_at: number
}

/** Row of `voice_clones` with the ID of its item. */
export interface CloneRow {
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
export const toVersion = (row: VersionRow): SampleVersion => ({
  id: row.id,
  mediaId: row.media_id,
  parentId: row.parent_id,
  fix: parsed(row.made),
  durationMs: row.duration_ms,
  createdAt: row.created_at,
})

/** Converts a row to a clone, with fields only for the main process. */
export const toClone = (
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
