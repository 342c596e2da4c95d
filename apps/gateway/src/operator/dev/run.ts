import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isCode } from '../../platform/error-code'
import { runGateway } from '../../run'
import { findFreePort } from './free-port'
import { rememberRunning } from './running'
import { developmentConfig, firstPort, welcome } from './settings'

export async function runDevelopment(
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  print: (text: string) => void,
): Promise<void> {
  const port = env.PORT === undefined || env.PORT === '' ? await findFreePort(firstPort) : Number(env.PORT)
  const config = developmentConfig(env, port, folder)
  await ignoreInGit(config.dataDir)
  const forget = await rememberRunning(config)
  process.once('exit', forget)
  await runGateway(config, () => print(welcome(config.modalOrigin, path.relative(folder, config.dataDir) || '.')))
}

/** The folder has the development wallets' keys. */
async function ignoreInGit(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(path.join(dataDir, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
}
