import { z } from 'zod'
import { defaultQuickShortcut } from '../chats/quick-shortcut.ts'
import { partBounds } from '../documents/plan.ts'
import { localAccountId } from '../provider/profiles.ts'
import { route } from './contract.ts'

/** Properties by which a user can recognize a certificate. */
const certificateFact = z.object({
  subject: z.string(),
  /** Fingerprint: 32 bytes in hexadecimal digits with colons. */
  sha256: z.string(),
  /** Unix ms. */
  validTo: z.number(),
})

export type CertificateFact = Readonly<z.infer<typeof certificateFact>>

const whole = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.number().int().min(min).max(max)

/** The user's app settings: what the database and the page may contain; none is secret. */
export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  language: z.enum(['system', 'en', 'zh-CN']),
  /** The account used for requests. */
  activeAccountId: z.string(),
  /** Set once the first-run card was completed. */
  welcomed: z.boolean(),
  listWidth: whole({ min: 200, max: 600 }),
  /** Width of a document's pages next to their text, in pixels at the normal text size. */
  pagesWidth: whole({ min: 240, max: 1400 }),
  /** Width of the contents, thumbnails or highlights of a document, in pixels at the normal text size. */
  contentsWidth: whole({ min: 120, max: 480 }),
  /**
   * Where documents are parsed when they arrive while an account is active, as the user chose, by the ID of the account; without
   * an entry, nothing is sent before the user says so. Documents that arrive while This computer is active are parsed on it.
   */
  parseOnArrival: z.record(z.string().max(64), z.enum(['account', 'this-computer'])),
  /**
   * Who suggests titles of transcribed meetings that have an automatic one: phrases of the transcript, or the meeting's account,
   * which gets the beginning of the transcript.
   */
  titleSuggestions: z.enum(['off', 'transcript', 'account']),
  /** Size of transcripts, summaries and the text of documents. */
  textSize: z.enum(['small', 'normal', 'large', 'larger']),
  /** Whether the system shows a notification when a recording ends, a meeting is transcribed, or work fails. */
  notifyRecording: z.boolean(),
  notifyTranscript: z.boolean(),
  notifyFailure: z.boolean(),
  /** Maximum pages of the parts in which a document is sent; the provider's limits apply in addition. */
  partPages: whole(partBounds.pages),
  /** The same in binary megabytes. */
  partMegabytes: whole(partBounds.megabytes),
  /** Number of concurrent parts per account, limited by the account's own maximum. */
  partRequests: whole(partBounds.requests),
  inspectorOpen: z.boolean(),
  /** Whether the Library also lists requests and data of providers. */
  providerData: z.boolean(),
  /** Whether the navigation shows developer tools: the Playground and Activity. */
  developer: z.boolean(),
  /** Certificate authorities trusted in addition to the system's; copies of them are in the data folder. */
  certificates: z.array(certificateFact),
  /** Whether Lectern checks for new versions; otherwise it sends no request at all. */
  updateChecks: z.boolean(),
  /** Whether a downloaded version is installed when Lectern quits. */
  updateOnQuit: z.boolean(),
  /** Shortcut that opens the quick window (`contract/shortcuts.ts`); '' for none. */
  quickShortcut: z.string(),
  /** Shortcut that starts and stops a recording from any program; '' for none. */
  recordShortcut: z.string(),
  /** Price of a million tokens as entered by the user, by `account model`. */
  prices: z.record(z.string().max(200), z.string().max(20)),
  /** `system`, `none`, or an http(s) proxy URL without credentials. */
  proxy: z.string(),
})

export type Settings = Readonly<z.infer<typeof settingsSchema>>

/** Default settings; only deviations are in the database. */
export const defaultSettings: Settings = {
  theme: 'system',
  language: 'system',
  activeAccountId: localAccountId,
  welcomed: false,
  listWidth: 280,
  pagesWidth: 520,
  contentsWidth: 200,
  parseOnArrival: {},
  titleSuggestions: 'transcript',
  textSize: 'normal',
  notifyRecording: true,
  notifyTranscript: true,
  notifyFailure: true,
  partPages: partBounds.pages.default,
  partMegabytes: partBounds.megabytes.default,
  partRequests: partBounds.requests.default,
  inspectorOpen: true,
  providerData: false,
  developer: false,
  certificates: [],
  updateChecks: true,
  updateOnQuit: false,
  quickShortcut: defaultQuickShortcut,
  recordShortcut: '',
  prices: {},
  proxy: 'system',
}

/**
 * Reads stored values. Another version may have stored other types, limits or entries: numbers are clamped, invalid entries of
 * lists are removed, and the default replaces what is still invalid.
 */
export function storedSettings(stored: Readonly<Record<string, unknown>>): Settings {
  const settings = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const { success, data } = schema.safeParse(salvaged(schema, stored[name]))
    return [name, success ? data : defaultSettings[name as keyof Settings]]
  })
  return Object.fromEntries(settings) as Settings
}

function salvaged(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNumber && typeof value === 'number')
    return Math.min(schema.maxValue ?? value, Math.max(schema.minValue ?? value, value))
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.filter((each) => isValid(schema.element, each))
  if (schema instanceof z.ZodRecord && typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).filter(
        ([key, each]) => isValid(schema.keyType, key) && isValid(schema.valueType, each),
      ),
    )
  return value
}

const isValid = (schema: z.core.$ZodType, value: unknown): boolean =>
  z.safeParse(schema, value).success

/** Settings that have routes of their own: `accounts.activate`, `network.*` and `shortcuts.use`. */
const changedElsewhere = {
  activeAccountId: true,
  certificates: true,
  quickShortcut: true,
  recordShortcut: true,
  proxy: true,
} as const

/** Absent fields stay unchanged. Records are complete: entries that are missing are removed. */
const patch = settingsSchema
  .omit(changedElsewhere)
  .partial()
  .refine(({ prices = {} }) => Object.keys(prices).length <= 200)
  .refine(({ parseOnArrival = {} }) => Object.keys(parseOnArrival).length <= 200)

export type SettingsPatch = z.infer<typeof patch>

/** Routes of settings that do not belong to an account. */
export const settings = {
  get: route<Settings>()(z.strictObject({})),
  update: route<Settings>()(patch),
}
