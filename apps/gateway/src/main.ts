import { ConfigError, readConfig } from './config'
import { DatabaseInUseError } from './db/lock'
import { runGateway } from './run'

async function main(): Promise<void> {
  await runGateway(readConfig(process.env))
}

main().catch((error: unknown) => {
  const expected = error instanceof ConfigError || error instanceof DatabaseInUseError
  process.stderr.write(`${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
