/** `npm run gateway -- project …` */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { ConfigError, readConfig } from './config'
import { DatabaseInUseError } from './db/lock'
import { type Database, openConfigured } from './db/open'
import { CommandError, runCommand } from './projects/commands'
import { connectControl } from './projects/control'
import { createProjectStore, type ProjectStore } from './projects/store'

let database: Database | undefined

try {
  const config = readConfig(process.env)
  const openStore = async (): Promise<ProjectStore> => {
    const running =
      config.databaseUrl === undefined ? await connectControl(path.join(config.dataDir, 'gateway.sock')) : null
    if (running !== null) return running
    database = await openConfigured(config, (error) => console.error(error.message))
    return createProjectStore(database, Date.now)
  }
  console.log(await runCommand(process.argv.slice(2), openStore, () => randomBytes(16).toString('hex')))
} catch (error) {
  if (!(error instanceof CommandError || error instanceof ConfigError || error instanceof DatabaseInUseError))
    throw error
  console.error(error.message)
  process.exitCode = error instanceof CommandError ? error.exitCode : 1
} finally {
  await database?.close()
}
