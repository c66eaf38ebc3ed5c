import { X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import { AppError } from '../errors.ts'

/**
 * Creates a context that trusts Node's authorities, the system's and the given PEM texts. Meant to be created once per set:
 * it parses some hundred certificates. Throws TLS_UNTRUSTED when a PEM text contains no certificate.
 */
export function trusting(extra: readonly string[]): tls.SecureContext {
  const all = new Set(
    [...authorities('default'), ...authorities('system')].map((pem) => pem.trim()),
  )
  try {
    for (const certificate of extra.flatMap(certificatesOf)) {
      // An invalid certificate would otherwise be ignored silently.
      all.add(new X509Certificate(certificate).toString().trim())
    }
    return tls.createSecureContext({ ca: [...all] })
  } catch {
    throw new AppError('TLS_UNTRUSTED', 'The additional certificate file cannot be read.', {
      params: { reason: 'ca-file' },
    })
  }
}

/** Returns each certificate of a PEM text; the text itself when it contains none. */
function certificatesOf(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [pem]
}

/** Returns the authorities of one source. Not every build of Node or Electron provides the system's list. */
function authorities(source: 'default' | 'system'): readonly string[] {
  try {
    if (typeof tls.getCACertificates === 'function') return tls.getCACertificates(source)
  } catch {
    // The store could not be read; the bundled authorities still work.
  }
  return source === 'default' ? tls.rootCertificates : []
}
