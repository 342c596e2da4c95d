import { stat } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '../../platform/settings/config-error'
import { type EarlierBuilds, openEarlierBuilds } from './earlier-builds'

type PagesConfig = {
  readonly [Folder in 'modalDir' | 'walletDir' | 'sdkDir' | 'consoleDir']: string
} & {
  readonly earlierBuildsDir?: string
  /** Absent: no console. */
  readonly admin?: object
}

/** Without its pages, a gateway would be ready and show an empty modal. @throws {ConfigError} */
export async function checkBuiltPages(config: PagesConfig): Promise<void> {
  const pages = [
    ['POSTERN_MODAL_DIR', config.modalDir, 'index.html'],
    ['POSTERN_WALLET_DIR', config.walletDir, 'sdk.html'],
    ['POSTERN_SDK_DIR', config.sdkDir, 'postern.js'],
    ...(config.admin === undefined ? [] : [['POSTERN_CONSOLE_DIR', config.consoleDir, 'index.html'] as const]),
  ] as const
  const problems: string[] = []
  for (const [name, dir, page] of pages) {
    const isFile = await stat(path.join(dir, page)).then(
      (stats) => stats.isFile(),
      () => false,
    )
    if (!isFile) {
      problems.push(
        `${name}: ${dir} has no ${page} that can be read. Build the pages, or name the folder that has them`,
      )
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
}

/** Null if no folder is configured. @throws {ConfigError} if the folder cannot be used. */
export async function openConfiguredBuilds(config: PagesConfig): Promise<EarlierBuilds | null> {
  const { earlierBuildsDir, modalDir, walletDir, sdkDir } = config
  if (earlierBuildsDir === undefined) return null
  try {
    return await openEarlierBuilds(earlierBuildsDir, { modal: modalDir, wallet: walletDir, sdk: sdkDir }, Date.now)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new ConfigError([
      `POSTERN_ASSETS: the gateway cannot store its pages in ${earlierBuildsDir}: ${error.message}. Let its user write there, or leave the setting out`,
    ])
  }
}
