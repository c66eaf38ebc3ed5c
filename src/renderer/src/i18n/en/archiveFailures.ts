import type { FailureWords } from './failureWords.ts'

/** Failures of archives, by code; part of `errors`. */
export const archiveFailures = {
  ARCHIVE_DAMAGED: {
    what: '“{file}” is damaged.',
    plain: 'This archive is damaged.',
    truncated: '“{file}” is incomplete.',
    sum: '“{entry}” in “{file}” doesn’t match its checksum.',
    damaged: '“{file}” is damaged.',
    data: 'Nothing was imported.',
    todo: 'Copy or export the archive again.',
  },
  ARCHIVE_REFUSED: {
    what: 'Can’t import “{file}”.',
    plain: 'Can’t import this archive.',
    foreign: '“{file}” isn’t a Lectern archive.',
    packed: '“{file}” was repackaged by another program.',
    encrypted: '“{entry}” in “{file}” is encrypted.',
    path: '“{entry}” in “{file}” has an unsafe path.',
    twice: '“{file}” contains “{entry}” twice.',
    case: '“{file}” contains “{entry}” twice, with different capitalization.',
    link: '“{entry}” in “{file}” isn’t a regular file.',
    overlap: '“{file}” contains overlapping or unlisted data.',
    bomb: '“{file}” expands to more than its stated size.',
    manifest: '“{entry}” in “{file}” doesn’t match the manifest.',
    database: '“{entry}” in “{file}” isn’t a Lectern library.',
    unknown: '“{file}” has an unsupported library version.',
    data: 'Nothing was imported.',
    todo: 'Use the original archive, from a source you trust.',
  },
  ARCHIVE_FROM_FUTURE: {
    what: '“{file}” needs a newer version of Lectern.',
    plain: 'This archive needs a newer version of Lectern.',
    data: 'Nothing was imported.',
    todo: 'Update Lectern, then import the archive.',
  },
  WORK_UNDER_WAY: {
    what: 'Lectern is still recording, sending, or answering.',
    archive: 'An archive is being exported or imported.',
    data: 'Nothing was changed.',
    todo: 'Wait until it’s done or stop it, then try again.',
  },
} satisfies Readonly<Record<string, FailureWords>>
