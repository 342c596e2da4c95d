import './schema-words'
import { readConfig } from './config'
import { ConfigError } from './config-error'
import { DatabaseInUseError } from './db/lock'
import { DatabaseOpenError } from './db/open-error'
import { runGateway } from './run'
import { KeyServiceError } from './secrets/key-service'

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
