/** The user's app settings; all have defaults, none is secret. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly language: 'system' | 'en' | 'zh-CN'
  /** The account used for requests. */
  readonly activeAccountId: string
  /** Set once the first-run card was completed. */
  readonly welcomed: boolean
  readonly listWidth: number
  /** Width of a document's pages next to their text, in pixels at the normal text size. */
  readonly pagesWidth: number
  /**
   * Maximum pages and binary megabytes of the parts in which a document is sent; the provider's limits apply in addition.
   */
  readonly partPages: number
  readonly partMegabytes: number
  /** Number of concurrent parts per account, limited by the account's own maximum. */
  readonly partRequests: number
  readonly inspectorOpen: boolean
  /** Certificate authorities trusted in addition to the system's; copies of them are in the data folder. */
  readonly certificates: readonly CertificateFact[]
  /** Whether Lectern checks for new versions; otherwise it sends no request at all. */
  readonly updateChecks: boolean
  /** Whether a downloaded version is installed when Lectern quits. */
  readonly updateOnQuit: boolean
  /** Shortcut that opens the quick window (`bridge/shortcuts.ts`); '' for none. */
  readonly quickShortcut: string
  /** Shortcut that starts and stops a recording from any program; '' for none. */
  readonly recordShortcut: string
  /** Price of a million tokens as entered by the user, by `account model`. */
  readonly prices: Readonly<Record<string, string>>
  /** `system`, `none`, or an http(s) proxy URL without credentials. */
  readonly proxy: string
}

/** Properties by which a user can recognize a certificate. */
export interface CertificateFact {
  readonly subject: string
  /** Fingerprint: 32 bytes in hexadecimal digits with colons. */
  readonly sha256: string
  /** Unix ms. */
  readonly validTo: number
}

/** Storage location of a key, and nothing more: the key itself never leaves the main process. */
export interface KeyStatus {
  readonly present: boolean
  /**
   * `keychain`: in the OS keychain; `session`: in memory until Lectern closes; `built-in`: the local service needs none.
   */
  readonly backend: 'keychain' | 'session' | 'built-in' | 'none'
  /** The OS store's name, for example `Secret Service`. */
  readonly store: string
  readonly last4: string | null
  /** Why the keychain could not be used; `otherOrigin`: its key was entered for another host. */
  readonly trouble:
    | 'absent'
    | 'disconnected'
    | 'noReply'
    | 'locked'
    | 'failed'
    | 'otherOrigin'
    | null
}
