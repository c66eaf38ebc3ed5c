import type { Page } from 'playwright-core'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import type { Person } from './person.ts'

/** What a journey starts with: the opened app, its bridge, and files that a person could choose. */
export interface Start {
  readonly page: Page
  readonly client: BridgeClient
  /** API for an account with a key, if the journey needs one. */
  readonly provider: { readonly url: string; readonly key: string } | null
  /** Writes a file, and returns its path. */
  file(name: string, bytes: Uint8Array): string
}

/** Provider that a journey needs: one with the on-device engines, or one that generates speech. */
export type ProviderKind = 'engines' | 'speech'

/** A goal, and the steps of a person towards it. */
export interface Part {
  readonly name: string
  readonly goal: string
  readonly steps: (person: Person, start: Start) => Promise<void>
}

/**
 * What a person wants to do with the app. It starts in a new data folder after the first-start card, on the page that the app
 * opens; each further part starts where the previous one ended.
 */
export interface Journey {
  readonly name: string
  readonly provider?: ProviderKind
  /** Whether the account with a key is in use at the start. */
  readonly accountInUse?: boolean
  /** Audio of the microphone. */
  readonly microphone?: () => Uint8Array
  /** Creates over the bridge what the journey needs. */
  readonly prepare?: (start: Start) => Promise<void>
  readonly parts: readonly Part[]
}
