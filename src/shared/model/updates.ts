/**
 * How this installation gets a new version. `restart`: Lectern downloads it and installs it with a restart. `manual`: Lectern only tells
 * that there is one. `none`: updates are not looked for.
 */
export type UpdateSupport =
  | { readonly mode: 'restart' }
  | {
      readonly mode: 'manual'
      /** Packages of the system (deb, rpm), a macOS app that nobody signed, an AppImage in a folder that cannot be written. */
      readonly why: 'system-package' | 'unsigned' | 'read-only-folder'
    }
  | {
      readonly mode: 'none'
      /** The build names no mirror; it runs from its sources; it runs in a browser tab. */
      readonly why: 'no-feed' | 'development' | 'browser'
    }

/** Why a check, a download or an installation failed. */
export const updateFaults = [
  // reaching a mirror
  'offline',
  'not-a-feed',
  // what a feed is
  'bad-signature',
  'malformed',
  'expired',
  'replayed',
  'no-package',
  // the package
  'stalled',
  'wrong-size',
  'wrong-hash',
  'disk-full',
  // putting it in place
  'recording',
  'backup-failed',
  'no-backup',
  'not-writable',
  'install-failed',
  'nothing-to-roll-back',
] as const

/** One of {@link updateFaults}. */
export type UpdateFault = (typeof updateFaults)[number]

/** A version that can be installed. */
export interface AvailableUpdate {
  readonly version: string
  /** Unix milliseconds. */
  readonly releasedAt: number
  /** Bytes of the package. */
  readonly size: number
  /** Markdown; `zh` is empty where the release has no Chinese notes. */
  readonly notes: { readonly en: string; readonly zh: string }
  /** The user went back from this version: it is offered in Settings, and no notice appears. */
  readonly quiet: boolean
}

/** What updates are doing. */
export type UpdateStage =
  | 'off'
  | 'idle'
  | 'checking'
  | 'available'
  | 'downloading'
  | 'ready'
  | 'installing'
  | 'failed'

/** Everything the page shows about updates. */
export interface UpdateState {
  readonly stage: UpdateStage
  readonly support: UpdateSupport
  /** The version that runs. */
  readonly version: string
  /** Last answer of a mirror, Unix milliseconds; null when none answered yet. */
  readonly checkedAt: number | null
  readonly update: AvailableUpdate | null
  /** While downloading. */
  readonly progress: {
    readonly bytes: number
    readonly total: number
    readonly bytesPerSecond: number
    /** Host of the mirror in use. */
    readonly mirror: string
  } | null
  /** While `failed`. */
  readonly failure: {
    readonly step: 'check' | 'download' | 'install' | 'roll-back'
    readonly fault: UpdateFault
    /** For Details: hosts and codes, in English. */
    readonly detail: string
    readonly at: number
  } | null
  /** A recording runs: checks, downloads and restarts wait for its end. */
  readonly recording: boolean
  /** The way back to the version before the last update; offered for 30 days. */
  readonly rollBack: {
    readonly version: string
    readonly updatedAt: number
    /** The earlier package is on this computer, so that Lectern can restart into it. */
    readonly packageKept: boolean
  } | null
  /** Where versions can be downloaded by hand; empty where the build names no page. */
  readonly downloadPage: string
}
