import { z } from 'zod'
import type { UpdateState } from '../model/updates.ts'
import { route } from './contract.ts'

/** Routes of updates. Each answers with the state after it began; how it goes on is told by `updates.changed`. */
export const updates = {
  state: route<UpdateState>()(z.strictObject({})),
  /** Asks the mirrors now. */
  check: route<UpdateState>()(z.strictObject({})),
  /** Downloads the available version; resumes what an earlier download left. */
  download: route<UpdateState>()(z.strictObject({})),
  /** Pauses the download; what came is kept for the next one. */
  cancel: route<UpdateState>()(z.strictObject({})),
  /** Backs the library up, installs the downloaded version and restarts Lectern. */
  install: route<UpdateState>()(z.strictObject({})),
  /** Restarts into the version before the last update. */
  rollBack: route<UpdateState>()(z.strictObject({})),
}

/** Letters of release notes that are taken, each language. */
const notesMax = 64 * 1024

/** A name below the mirror's folder: no slash, no dots at its beginning. */
const fileName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/)

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

/**
 * A feed as electron-builder writes it (`latest.yml`), with what Lectern's release script adds: `issuedAt`, `expires`, `releaseNotesZh`.
 * Judged after its signature; other fields are ignored.
 */
export const updateFeed = z.object({
  version: z
    .string()
    .max(64)
    .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
  files: z
    .array(
      z.object({
        url: fileName,
        /** Base64. */
        sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
        /** Bytes; at most 4 GB. */
        size: z
          .number()
          .int()
          .positive()
          .max(4 * 1024 ** 3),
      }),
    )
    .min(1)
    .max(32),
  releaseDate: time,
  releaseNotes: z.string().max(notesMax).default(''),
  releaseNotesZh: z.string().max(notesMax).default(''),
  /** Percent of installations that get it. */
  stagingPercentage: z.number().min(0).max(100).default(100),
  minimumSystemVersion: z.string().max(40).optional(),
  /** When this feed was signed: an earlier one than was seen before is a replay. */
  issuedAt: time,
  /** After this moment the feed says nothing about what is newest. */
  expires: time,
})

/** A feed that passed {@link updateFeed}. */
export type UpdateFeed = z.infer<typeof updateFeed>

/** What a build says about its feed (`resources/update-feed.json`). */
export const updateFeedConfig = z.strictObject({
  /** Folders on mirrors, https, each ending in `/`. */
  mirrors: z.array(z.url().regex(/^https:\/\/.+\/$/)).max(4),
  /** Raw Ed25519 public keys in base64; a feed signed with any of them is accepted, so that keys can be exchanged. */
  publicKeys: z.array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/)).max(4),
  /** Where people download by hand; empty for none. */
  downloadPage: z.union([z.literal(''), z.url().regex(/^https:/)]),
  /** Names of the code-signing certificate on Windows; empty where installers are not signed. */
  windowsPublishers: z.array(z.string().min(1)).max(4),
})

/** One build's feed. */
export type UpdateFeedConfig = z.infer<typeof updateFeedConfig>
