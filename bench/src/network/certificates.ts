import { execFile } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

export type Certificate = {
  readonly key: string
  readonly cert: string
  /** SHA-256 of the public key, base64: what Chromium's `--ignore-certificate-errors-spki-list` takes. */
  readonly keyHash: string
}

/**
 * A self-signed certificate for one host. A shared one would let the browser use a connection to one
 * host for another (RFC 9113, section 9.1.1), which hosts on different servers do not have.
 */
export async function makeCertificate(host: string): Promise<Certificate> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-bench-tls-'))
  try {
    const [keyFile, certFile] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
    const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
    await promisify(execFile)('openssl', [
      ...['req', '-x509', ...options, ...names],
      ...['-keyout', keyFile, '-out', certFile],
    ])
    const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')])
    const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
    return { key, cert, keyHash: createHash('sha256').update(publicKey).digest('base64') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
