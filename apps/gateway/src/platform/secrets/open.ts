import path from 'node:path'
import { unwrapSecrets, type WrappedSecrets } from './key-service'
import { createSecrets, type SecretKeys, type Secrets } from './secrets'
import { loadOrCreateSecrets } from './secrets-file'

/** Configured keys, or a development gateway's. @throws {KeyServiceError} */
export async function openSecrets({
  secrets,
  keyServiceToken = '',
  dataDir,
}: {
  readonly secrets?: SecretKeys | WrappedSecrets
  readonly keyServiceToken?: string
  readonly dataDir: string
}): Promise<Secrets> {
  if (secrets === undefined) return createSecrets(await loadOrCreateSecrets(path.join(dataDir, 'secrets.json')))
  return createSecrets('wrapped' in secrets ? await unwrapSecrets(secrets, keyServiceToken, fetch) : secrets)
}
