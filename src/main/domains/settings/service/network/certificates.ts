import { X509Certificate } from 'node:crypto'
import type { CertificateFact } from '../../../../../shared/contract/settings.ts'

/** Maximum size of a certificate file, in bytes. */
export const largestCertificates = 1024 * 1024

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/**
 * Reads the certificates of a file: any number in PEM, or one in DER. `pem` contains them one after the other and nothing else of
 * the file. Null if there are none, or one cannot be read.
 */
export function readCertificates(
  bytes: Uint8Array,
): { readonly pem: string; readonly facts: readonly CertificateFact[] } | null {
  const blocks: readonly (string | Uint8Array)[] =
    Buffer.from(bytes).toString('latin1').match(block) ?? (bytes.length > 0 ? [bytes] : [])
  try {
    const certificates = blocks.map((each) => new X509Certificate(each))
    if (certificates.length === 0) return null
    return {
      pem: certificates.map((each) => each.toString()).join(''),
      facts: certificates.map((each) => ({
        subject: nameOf(each.subject),
        sha256: each.fingerprint256,
        validTo: Date.parse(each.validTo),
      })),
    }
  } catch {
    return null
  }
}

/** The common name, else the organization, else the whole subject on one line. */
function nameOf(subject: string): string {
  const part = (name: string): string | undefined =>
    new RegExp(`^${name}=(.+)$`, 'm').exec(subject)?.[1]
  return (part('CN') ?? part('O') ?? subject.replaceAll('\n', ', ')).slice(0, 200)
}
