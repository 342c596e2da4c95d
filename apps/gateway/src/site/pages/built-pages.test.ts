import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkBuiltPages, openConfiguredBuilds } from './built-pages'

let dir: string
let config: Parameters<typeof checkBuiltPages>[0]
const admin = { host: '127.0.0.1', port: 0, operators: [], origin: 'http://127.0.0.1:4480' }

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'postern-built-'))
  const at = (name: string) => path.join(dir, name)
  config = { modalDir: at('modal'), walletDir: at('wallet'), sdkDir: at('sdk'), consoleDir: at('console') }
  for (const site of ['modal', 'wallet']) await mkdir(path.join(dir, site, 'assets'), { recursive: true })
  await writeFile(path.join(config.modalDir, 'index.html'), '')
  await writeFile(path.join(config.walletDir, 'sdk.html'), '')
  await mkdir(config.sdkDir)
  await writeFile(path.join(config.sdkDir, 'postern.js'), '')
})
afterEach(() => rm(dir, { recursive: true }))

test('needs the console only where it is served', async () => {
  await expect(checkBuiltPages(config)).resolves.toBeUndefined()
  await expect(checkBuiltPages({ ...config, admin })).rejects.toThrow(
    /POSTERN_CONSOLE_DIR: \S+console has no index\.html/,
  )
})

test('names each folder without its page', async () => {
  await rm(path.join(config.modalDir, 'index.html'))
  await rm(config.walletDir, { recursive: true })
  await rm(path.join(config.sdkDir, 'postern.js'))
  await expect(checkBuiltPages(config)).rejects.toThrow(
    /POSTERN_MODAL_DIR: .* has no index\.html.*\n.*POSTERN_WALLET_DIR: .*\n.*POSTERN_SDK_DIR: .* has no postern\.js/,
  )
})

test('says that a folder for earlier builds cannot be written', async () => {
  await expect(openConfiguredBuilds(config)).resolves.toBeNull()
  const file = path.join(dir, 'file')
  await writeFile(file, '')
  const earlierBuildsDir = path.join(file, 'builds')
  await expect(openConfiguredBuilds({ ...config, earlierBuildsDir })).rejects.toThrow(
    `POSTERN_ASSETS: the gateway cannot store its pages in ${earlierBuildsDir}: ENOTDIR`,
  )
})
