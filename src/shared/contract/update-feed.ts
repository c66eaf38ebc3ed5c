import { z } from 'zod'

/** Maximum characters of release notes per language. */
const notesMax = 64 * 1024

/**
 * Feed in electron-builder's format (`latest.yml`), with the fields that Lectern's release script adds: `issuedAt`,
 * `expires`, `releaseNotesZh`. Validated after its signature; other fields are ignored. Built for each feed: at import it would
 * slow the start of Lectern.
 */
export function updateFeed() {
  // File name in the mirror's folder: no slash, no leading dots.
  const fileName = z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/)

  const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
  return z.object({
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
    /** Percentage of installations that get it. */
    stagingPercentage: z.number().min(0).max(100).default(100),
    minimumSystemVersion: z.string().max(40).optional(),
    /** Time at which this feed was signed: one earlier than a feed seen before is a replay. */
    issuedAt: time,
    /** After this time the feed is not valid for determining the newest version. */
    expires: time,
  })
}

/** Feed configuration of a build (`resources/update-feed.json`). Built when it is read, like {@link updateFeed}. */
export const updateFeedConfig = () =>
  z.strictObject({
    /** Mirror folders, https, each ending in `/`. */
    mirrors: z.array(z.url().regex(/^https:\/\/.+\/$/)).max(4),
    /**
     * Raw Ed25519 public keys in base64; a feed signed with any of them is accepted, so that keys can be rotated.
     */
    publicKeys: z.array(z.string().regex(/^[A-Za-z0-9+/]{43}=$/)).max(4),
    /** Page for manual downloads; empty for none. */
    downloadPage: z.union([z.literal(''), z.url().regex(/^https:/)]),
    /** Names of the code-signing certificate on Windows; empty if installers are not signed. */
    windowsPublishers: z.array(z.string().min(1)).max(4),
  })

/** Feed configuration of a build. */
export type UpdateFeedConfig = z.infer<ReturnType<typeof updateFeedConfig>>

/** Feed validated by {@link updateFeed}. */
export type UpdateFeed = z.infer<ReturnType<typeof updateFeed>>
