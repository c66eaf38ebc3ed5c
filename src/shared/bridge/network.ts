import { z } from 'zod'
import type { Settings } from '../model/settings.ts'
import { isParsable } from '../service/parsable.ts'
import { route } from './contract.ts'

/** What came of a wish to change the network settings; `declined`: the user said no to the question that the host asked. */
export interface NetworkChange {
  readonly outcome: 'changed' | 'declined'
  readonly settings: Settings
}

/** Routes of what decides where a key can be read on its way. The host asks the user before anything changes. */
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
  /** Lets the user choose a file of certificates; they take the place of those added before. */
  addCertificates: route<NetworkChange>()(z.strictObject({})),
  removeCertificates: route<NetworkChange>()(z.strictObject({})),
}
