/**
 * How this installation is updated. `restart`: Lectern downloads a new version and installs it with a restart. `manual`:
 * Lectern only reports a new version. `none`: no update checks.
 */
export type UpdateSupport =
  | { readonly mode: 'restart' }
  | {
      readonly mode: 'manual'
      /** System packages (deb, rpm), an unsigned macOS app, an AppImage in a read-only folder. */
      readonly why: 'system-package' | 'unsigned' | 'read-only-folder'
    }
  | {
      readonly mode: 'none'
      /** The build has no mirror, runs from source, or runs in a browser tab. */
      readonly why: 'no-feed' | 'development' | 'browser'
    }

/** Why a check, a download or an installation failed. */
export const updateFaults = [
  // reaching a mirror
  'offline',
  'not-a-feed',
  // the feed
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
  // installing it
  'recording',
  'backup-failed',
  'no-backup',
  'not-writable',
  'install-failed',
  'nothing-to-roll-back',
] as const

/** One of {@link updateFaults}. */
export type UpdateFault = (typeof updateFaults)[number]

/** A version available for installation. */
export interface AvailableUpdate {
  readonly version: string
  /** Unix milliseconds. */
  readonly releasedAt: number
  /** Bytes of the package. */
  readonly size: number
  /** Markdown; `zh` is empty where the release has no Chinese notes. */
  readonly notes: { readonly en: string; readonly zh: string }
  /** The user rolled back from this version: it is offered in Settings, without a notice. */
  readonly quiet: boolean
}

/** Current step of an update. */
export type UpdateStage =
  | 'off'
  | 'idle'
  | 'checking'
  | 'available'
  | 'downloading'
  | 'ready'
  | 'installing'
  | 'failed'

/** Data for everything the page shows about updates. */
export interface UpdateState {
  readonly stage: UpdateStage
  readonly support: UpdateSupport
  readonly version: string
  /** Last response of a mirror, Unix milliseconds; null before the first. */
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
  /** Whether a recording is running: checks, downloads and restarts wait for its end. */
  readonly recording: boolean
  /** Rollback to the version before the last update; offered for 30 days. */
  readonly rollBack: {
    readonly version: string
    readonly updatedAt: number
    /** Whether the earlier package is on this computer, so that Lectern can restart into it. */
    readonly hasPackage: boolean
  } | null
  /** Page for manual downloads; empty when the build has none. */
  readonly downloadPage: string
}
