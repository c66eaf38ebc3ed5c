import { z } from 'zod'
import type { Settings } from './settings.ts'
import { isParsable } from '../provider/parsable.ts'
import { route } from './contract.ts'

/**
 * Result of a request to change the network settings; `declined`: the user declined in the host's confirmation dialog.
 */
export interface NetworkChange {
  readonly outcome: 'changed' | 'declined'
  readonly settings: Settings
}

/**
 * Routes of network settings that determine where an API key could be intercepted. The host asks the user before any
 * change.
 */
export const network = {
  setProxy: route<NetworkChange>()(
    z.strictObject({
      proxy: z
        .string()
        .max(1024)
        .regex(/^(system|none|https?:\/\/[^\s@]+)$/)
        .refine((proxy) => !proxy.includes(':') || isParsable(proxy)),
    }),
  ),
  /** Lets the user choose a certificate file; it replaces those added before. */
  addCertificates: route<NetworkChange>()(z.strictObject({})),
  removeCertificates: route<NetworkChange>()(z.strictObject({})),
}
