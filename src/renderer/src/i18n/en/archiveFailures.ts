import type { FailureWords } from './errors.ts'

/** What is wrong with an archive (`main/archive/refused.ts`), each in a sentence of its own. */
export interface ArchiveProblems {
  readonly truncated?: string
  readonly sum?: string
  readonly damaged?: string
  readonly packed?: string
  readonly encrypted?: string
  readonly path?: string
  readonly twice?: string
  readonly case?: string
  readonly link?: string
  readonly overlap?: string
  readonly bomb?: string
  readonly manifest?: string
  readonly database?: string
  readonly unknown?: string
  /** An archive is being worked on. */
  readonly archive?: string
  /** A disk whose room was measured. */
  readonly room?: string
}

/** What the reader is told about archives and what stands in their way, by code; part of `errors`. */
export const archiveFailures = {
  ARCHIVE_DAMAGED: {
    what: '“{file}” is damaged.',
    plain: 'This archive is damaged.',
    truncated: '“{file}” breaks off before its end.',
    sum: '“{entry}” in “{file}” is not what was packed.',
    damaged: '“{file}” is damaged: its contents and its directory do not agree.',
    data: 'Nothing of it was taken in. Your library is as it was.',
    todo: 'Copy the archive once more from where it was made, or export it again there.',
  },
  ARCHIVE_REFUSED: {
    what: '“{file}” cannot be taken in.',
    plain: 'This archive cannot be taken in.',
    foreign: '“{file}” is not an archive of Lectern.',
    packed: '“{file}” was packed by another program.',
    encrypted: '“{entry}” in “{file}” is encrypted.',
    path: '“{entry}” in “{file}” has a name that Lectern never gives: it could lead out of its folder.',
    twice: '“{entry}” is in “{file}” twice.',
    case: '“{entry}” in “{file}” differs from another name only in capitalization.',
    link: '“{entry}” in “{file}” is a link or a device, not a file.',
    overlap: '“{file}” holds bytes that belong to no file, or to two.',
    bomb: '“{file}” would unfold to far more than it says.',
    manifest: '“{entry}” in “{file}” does not agree with what the archive says of itself.',
    database: '“{entry}” in “{file}” is no library that Lectern wrote.',
    unknown: '“{file}” holds a library of a version that Lectern does not know.',
    data: 'Nothing of it was taken in. Your library is as it was.',
    todo: 'Take an archive as Lectern wrote it, not unpacked and packed again. If it came from somebody else, do not trust it.',
  },
  ARCHIVE_FROM_FUTURE: {
    what: '“{file}” was written by a newer Lectern.',
    plain: 'This archive was written by a newer Lectern.',
    data: 'Nothing of it was taken in. Your library is as it was.',
    todo: 'Update Lectern here, then take the archive in.',
  },
  WORK_UNDER_WAY: {
    what: 'Something is being recorded, sent or answered just now.',
    archive: 'An archive is being written or taken in just now.',
    data: 'What you have is safe and unchanged.',
    todo: 'Wait until it is done, or stop it, then try again.',
  },
} satisfies Readonly<Record<string, FailureWords>>
