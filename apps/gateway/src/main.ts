import './platform/schema-words'
import { readConfig } from './config'
import { DatabaseInUseError } from './platform/db/lock'
import { DatabaseOpenError } from './platform/db/open-error'
import { KeyServiceError } from './platform/secrets/key-service'
import { ConfigError } from './platform/settings/config-error'
import { runGateway } from './run'

async function main(): Promise<void> {
  await runGateway(readConfig(process.env))
}

main().catch((error: unknown) => {
  const expected = [ConfigError, DatabaseInUseError, DatabaseOpenError, KeyServiceError].some(
    (known) => error instanceof known,
  )
  process.stderr.write(`${!(error instanceof Error) ? String(error) : expected ? error.message : error.stack}\n`)
  process.exitCode = 1
})
