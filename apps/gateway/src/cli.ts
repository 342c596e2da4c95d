/** `npm run gateway -- <command>`, or `npx @postern/gateway <command>`. */
import './platform/schema-words'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readConfig } from './config'
import { createAudit } from './operator/admin/audit'
import { auditedProjects } from './operator/admin/audited-projects'
import { type AdminCommandOptions, isAdminCommand, runAdminCommand } from './operator/admin/command'
import { runBackupCommand } from './operator/backup/command'
import { runDoctor } from './operator/doctor/command'
import { runReseal, runRotate, runWrap } from './operator/rotation/command'
import { CommandError } from './platform/command-error'
import { commandLine } from './platform/db/admin-schema'
import { DatabaseInUseError } from './platform/db/lock'
import { type Database, openConfigured } from './platform/db/open'
import { DatabaseOpenError } from './platform/db/open-error'
import { isCode } from './platform/error-code'
import { KeyServiceError } from './platform/secrets/key-service'
import { openSecrets } from './platform/secrets/open'
import { newSecretKeys } from './platform/secrets/secrets'
import { ConfigError } from './platform/settings/config-error'
import { textOrFile } from './platform/settings/text-or-file'
import { runCommand } from './projects/commands'
import { connectControl } from './projects/control'
import { signInNetworks } from './projects/sign-in-networks'
import { createProjectStore, type ProjectStore } from './projects/store'

let database: Database | undefined

const words = process.argv.slice(2)
/** npm starts the program in another folder. */
const folder = process.env.INIT_CWD ?? '.'

try {
  // Runs without a configuration.
  if (words[0] === 'secrets' && words[1] === 'rotate') console.log(await runRotate(words.slice(2), folder))
  else if (words[0] === 'secrets' && words[1] === 'wrap')
    console.log(await runWrap(words.slice(2), folder, process.env.POSTERN_KEY_SERVICE_TOKEN))
  else if (words[0] === 'secrets' && words[1] === 'reseal' && words.length === 2) await resealAll()
  else if (words[0] === 'secrets' && words.length <= 2) await makeSecrets(words[1])
  else if (words[0] === 'start' && words.length === 1) await start()
  else if (words[0] === 'dev' && words.length === 1) await dev()
  else if (words[0] === 'doctor') await doctor()
  else if (isAdminCommand(words)) console.log(await runAdminCommand(words, adminAccess()))
  else if (words[0] === 'backup' || words[0] === 'restore')
    console.log(await runBackupCommand(words, folder, openDatabase))
  else await runProjectCommand()
} catch (error) {
  const expected = [CommandError, ConfigError, DatabaseInUseError, DatabaseOpenError, KeyServiceError]
  if (!(error instanceof Error) || !expected.some((known) => error instanceof known)) throw error
  console.error(error.message)
  process.exitCode = error instanceof CommandError ? error.exitCode : 1
} finally {
  await database?.close()
}

/** With mode 0600. Never overwrites: data sealed with the file's keys would be lost. */
async function makeSecrets(file: string | undefined): Promise<void> {
  const text = JSON.stringify(newSecretKeys())
  if (file === undefined) return console.log(text)
  const address = path.resolve(folder, file)
  await writeFile(address, `${text}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (isCode(error, 'EEXIST')) throw new CommandError(`${file} is there already, and was not changed`)
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new CommandError(`${file} cannot be written (${error.code}): make its folder, or name another one`)
  })
}

async function resealAll(): Promise<void> {
  const config = readConfig(process.env)
  const secrets = await openSecrets(config)
  const { text, failed } = await runReseal(await openDatabase(config), secrets, Date.now)
  console.log(text)
  if (failed) process.exitCode = 1
}

async function start(): Promise<void> {
  const { runGateway } = await import('./run')
  await runGateway(readConfig(process.env))
}

async function dev(): Promise<void> {
  const { runDevelopment } = await import('./operator/dev/run')
  await runDevelopment(process.env, path.resolve(folder), (text) => console.log(text))
}

async function doctor(): Promise<void> {
  const { text, failed } = await runDoctor(words.slice(1), process.env, path.resolve(folder))
  console.log(text)
  if (failed) process.exitCode = 1
}

/** Of the operator who runs the command; the gateway may run on another machine. */
function adminAccess(): AdminCommandOptions {
  const { POSTERN_ADMIN_URL, POSTERN_ADMIN_PORT, POSTERN_ADMIN_TOKEN } = process.env
  const port = POSTERN_ADMIN_PORT || '4480'
  const problems: string[] = []
  const token = textOrFile('POSTERN_ADMIN_TOKEN', POSTERN_ADMIN_TOKEN, problems)
  if (problems.length > 0) throw new CommandError(problems.join('\n'))
  return { url: POSTERN_ADMIN_URL || `http://127.0.0.1:${port}`, token, fetch }
}

async function openDatabase(config = readConfig(process.env)): Promise<Database> {
  database = await openConfigured(config, (error) => console.error(error.message))
  return database
}

async function runProjectCommand(): Promise<void> {
  const config = readConfig(process.env)
  const openStore = async (): Promise<ProjectStore> => {
    const running =
      config.databaseUrl === undefined ? await connectControl(path.join(config.dataDir, 'gateway.sock')) : null
    if (running !== null) return running
    const opened = await openDatabase(config)
    const store = createProjectStore(opened, Date.now, { defaultAncestors: !config.production })
    return auditedProjects(store, createAudit(opened, Date.now), commandLine)
  }
  const newId = () => randomBytes(16).toString('hex')
  console.log(await runCommand(words, openStore, newId, signInNetworks(config.networks)))
}
