/** The user's choices about the app; all have defaults, none is secret. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark'
  readonly language: 'system' | 'en' | 'zh-CN'
  /** The account calls go to. */
  readonly activeAccountId: string
  /** Set once the first-run card was answered. */
  readonly welcomed: boolean
  readonly listWidth: number
  /** Of a document's pages beside their text, in pixels at the normal text size. */
  readonly pagesWidth: number
  /** Most pages and binary megabytes of the parts that a document is sent in; those of the service hold beside them. */
  readonly partPages: number
  readonly partMegabytes: number
  /** Parts that are on their way to one account at a time, at most as many as the account allows. */
  readonly partRequests: number
  readonly inspectorOpen: boolean
  /** Certificate authorities that are trusted beside the system's; copies of them lie in the data folder. */
  readonly certificates: readonly CertificateFact[]
  /** Lectern looks for new versions; without it not a single request is made. */
  readonly updateChecks: boolean
  /** A downloaded version is installed when Lectern quits. */
  readonly updateOnQuit: boolean
  /** Brings up the quick window (`bridge/shortcuts.ts`); '' for none. */
  readonly quickShortcut: string
  /** Starts and stops a recording from any program; '' for none. */
  readonly recordShortcut: string
  /** What a million tokens cost as the user wrote it, by `account model`. */
  readonly prices: Readonly<Record<string, string>>
  /** `system`, `none`, or an http(s) proxy URL without credentials. */
  readonly proxy: string
}

/** What a user can recognize a certificate by. */
export interface CertificateFact {
  readonly subject: string
  /** Fingerprint: 32 bytes in hexadecimal digits with colons. */
  readonly sha256: string
  /** Unix ms. */
  readonly validTo: number
}

/** Where a key is kept, and nothing more: the key itself never leaves main. */
export interface KeyStatus {
  readonly present: boolean
  /** `keychain`: in the OS keychain; `session`: kept in memory until Lectern closes; `built-in`: this computer's own service needs none. */
  readonly backend: 'keychain' | 'session' | 'built-in' | 'none'
  /** The OS store's name, for example `Secret Service`. */
  readonly store: string
  readonly last4: string | null
  /** Why the keychain could not be used, when it could not; `otherOrigin`: the key in it was given for another host. */
  readonly trouble:
    | 'absent'
    | 'disconnected'
    | 'noReply'
    | 'locked'
    | 'failed'
    | 'otherOrigin'
    | null
}
