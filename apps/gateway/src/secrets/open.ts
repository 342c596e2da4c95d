import path from 'node:path'
import { createSecrets, type SecretKeys, type Secrets } from './secrets'
import { loadOrCreateSecrets } from './secrets-file'

/** The configured keys, or those of a development gateway. */
export async function openSecrets({
  secrets,
  dataDir,
}: {
  readonly secrets?: SecretKeys
  readonly dataDir: string
}): Promise<Secrets> {
  return createSecrets(secrets ?? (await loadOrCreateSecrets(path.join(dataDir, 'secrets.json'))))
}
