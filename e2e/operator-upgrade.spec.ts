/** The operator upgrades the gateway while a user has a tab open. */
import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { toHex } from 'viem'
import { dappPage, devnetWallet } from './support/dapp'
import { createGateway, type Gateway } from './support/gateway'
import { address, approve, card, connect, inDapp, request, status, textOf } from './support/postern'
import { expect, test } from './support/test'

const built = path.resolve(import.meta.dirname, '../apps/modal-host/dist')
const project = { id: 'demo', name: 'Any development origin', allowedOrigins: [], defaultAncestors: true }
const hashed = /-([\w-]{7,8})\.(?:js|css|woff2|svg)$/

/**
 * The next build of the modal: every file has another name, and all files refer to each other by the new names. The page
 * says that it is the new one.
 */
async function makeNextBuild(folder: string): Promise<void> {
  await cp(built, folder, { recursive: true, filter: (file) => !/\.(?:map|br|gz)$/.test(file) })
  const assets = path.join(folder, 'assets')
  const names = await readdir(assets)
  const hashes = names.flatMap((name) => hashed.exec(name)?.[1] ?? [])
  const renewed = (text: string) =>
    hashes.reduce((all, hash) => all.replaceAll(`-${hash}.`, `-${[...hash].reverse().join('')}.`), text)
  for (const name of names) {
    const file = path.join(assets, name)
    if (/\.(?:js|css)$/.test(name)) await writeFile(file, renewed(await readFile(file, 'utf8')))
    await rename(file, path.join(assets, renewed(name)))
  }
  const index = path.join(folder, 'index.html')
  const page = renewed(await readFile(index, 'utf8'))
  await writeFile(index, page.replace('<html', '<html data-build="next"'))
}

type Upgradable = { readonly gateway: Gateway; upgrade(): Promise<void>; remove(): Promise<void> }

/** A started gateway with the built modal; its upgrade replaces the modal. */
async function startUpgradable(
  port: number,
  settings: (folder: string) => Record<string, string>,
): Promise<Upgradable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postern-upgrade-'))
  const [current, next] = [path.join(folder, 'current'), path.join(folder, 'next')]
  await makeNextBuild(next)
  await symlink(built, current)
  const gateway = await createGateway(port, [project], undefined, 'warn', {
    POSTERN_MODAL_DIR: current,
    ...settings(folder),
  })
  await gateway.start()
  return {
    gateway,
    async upgrade() {
      await gateway.stop()
      await unlink(current)
      await symlink(next, current)
      await gateway.start()
    },
    async remove() {
      await gateway.remove()
      await rm(folder, { recursive: true })
    },
  }
}

const modalFrame = (page: Page) => page.frames().find((frame) => frame.url().includes('//modal.postern.'))
/** Null while the frame navigates. */
const buildOf = (page: Page) =>
  modalFrame(page)
    ?.evaluate(() => document.documentElement.getAttribute('data-build') ?? 'first')
    .catch(() => null)

test.describe('@operator an upgrade while a tab is open', () => {
  test('@main with stored builds, the tab connects, opens what it has not loaded yet, signs and sends', async ({
    page,
    sites,
    lane,
  }) => {
    const { gateway, upgrade, remove } = await startUpgradable(lane.ownGatewayPort, (folder) => ({
      POSTERN_ASSETS: path.join(folder, 'assets'),
    }))
    try {
      await page.goto(
        sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [devnetWallet(lane.account)] })),
      )
      await page.waitForFunction(() => 'Postern' in window)
      await inDapp(page, (postern) => postern.open())
      await expect(card(page, 'Connect')).toBeVisible()
      await inDapp(page, (postern) => postern.close())

      await upgrade()
      await connect(page)
      // Its file has not been loaded before.
      const [receive] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('/assets/Receive-')),
        inDapp(page, (postern) => postern.open({ view: 'Receive' })),
      ])
      await expect(card(page, 'Receive')).toBeVisible()
      expect(receive.status()).toBe(200)
      expect(await buildOf(page)).toBe('first')
      await inDapp(page, (postern) => postern.close())

      const account = await address(page)
      const signing = request(page, 'personal_sign', ['0x68656c6c6f', account])
      await approve(page)
      expect(textOf(await signing)).toMatch(/^0x[0-9a-f]{130}$/)
      const sending = request(page, 'eth_sendTransaction', [{ from: account, to: account, value: toHex(1n) }])
      await approve(page)
      expect(textOf(await sending)).toMatch(/^0x[0-9a-f]{64}$/)

      await page.reload()
      await page.waitForFunction(() => 'Postern' in window)
      await inDapp(page, (postern) => postern.open())
      await expect(card(page)).toBeVisible()
      expect(await buildOf(page)).toBe('next')
    } finally {
      await remove()
    }
  })

  test('without them, the modal reloads itself once and goes on with the new build', async ({ page, sites, lane }) => {
    const { gateway, upgrade, remove } = await startUpgradable(lane.ownGatewayPort, () => ({}))
    try {
      await page.goto(
        sites.serve('dapp', '/', dappPage({ host: gateway.origin, wallets: [devnetWallet(lane.account)] })),
      )
      await page.waitForFunction(() => 'Postern' in window)
      await connect(page)
      await upgrade()
      const loads: string[] = []
      await page.exposeFunction('onLoad', (type: string) => loads.push(type))
      await page.addInitScript(() => {
        if (!location.host.startsWith('modal.postern.')) return
        const [navigation] = performance.getEntriesByType('navigation')
        Reflect.get(window, 'onLoad')(navigation?.toJSON().type)
      })
      await inDapp(page, (postern) => postern.open({ view: 'Receive' }))
      await expect.poll(() => buildOf(page)).toBe('next')
      await expect.poll(() => status(page)).toBe('connected')
      await inDapp(page, (postern) => postern.open({ view: 'Receive' }))
      await expect(card(page, 'Receive')).toBeVisible()
      // The SDK loads a frame again that does not answer within 2 s of its own reload.
      await expect.poll(() => loads.filter((type) => type === 'reload')).toHaveLength(1)
      expect(loads.filter((type) => type !== 'reload' && type !== 'navigate')).toEqual([])
    } finally {
      await remove()
    }
  })
})
