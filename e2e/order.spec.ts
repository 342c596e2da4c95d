/** Row order on Connect (spec §2) that the browser's storage decides. */
import type { Page } from '@playwright/test'
import { devnetWallet, secondWallet } from './support/dapp'
import { connect, inDapp, modal, openConnect, status } from './support/postern'
import { expect, test } from './support/test'

test.describe('order of the wallets', () => {
  test('@main @connect @storage the last two used wallets come after WalletConnect, the latest first (spec §2, §3, §9)', async ({
    page,
    visit,
    lane,
  }) => {
    const third = { ...secondWallet(lane.account), name: 'Third Wallet', rdns: 'dev.postern.third-wallet' }
    await visit({
      projectId: 'mobile',
      wallets: [devnetWallet(lane.account), secondWallet(lane.otherAccount), third],
    })
    for (const wallet of ['Devnet Wallet', 'Third Wallet', 'Second Wallet']) {
      await connect(page, wallet)
      await inDapp(page, (postern) => postern.disconnect())
      await expect.poll(() => status(page)).toBe('disconnected')
    }
    await page.reload()
    await openConnect(page)
    const inOrder = ['WalletConnect', 'Second Wallet', 'Third Wallet', 'Devnet Wallet']
    await expect.poll(async () => (await rowsOf(page)).slice(0, 4)).toEqual(inOrder)
  })
})

async function rowsOf(page: Page): Promise<string[]> {
  const rows = modal(page).getByRole('list', { name: 'Wallets', exact: true }).getByRole('button')
  const texts = await rows.allInnerTexts()
  return texts.slice(0, -1).map((text) => text.split('\n')[0] ?? '')
}
