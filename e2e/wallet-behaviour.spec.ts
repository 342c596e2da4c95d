/** Decline, lock, switch, disappear, in pairs, or missing. */
import type { Page } from '@playwright/test'
import { devnetAccounts } from '@postern/devnet'
import { devnetWallet, secondWallet, type VisitorWallet } from './support/dapp'
import {
  address,
  approve,
  card,
  chainId,
  chooseWallet,
  connect,
  inDapp,
  modal,
  openConnect,
  press,
  reject,
  request,
  status,
  switchFromModal,
  unlock,
  walletPrompt,
  walletRow,
} from './support/postern'
import { expect, test } from './support/test'

const addressOf = (account: number) => devnetAccounts[account]?.address
const rdns = 'dev.postern.devnet-wallet'

test.describe('declining', () => {
  test('@main @connect a declined request is reported and can be retried', async ({ page, visit }) => {
    await visit()
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await reject(page)
    await expect(modal(page).getByText('Request declined')).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Try again' }))
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@connect a dapp that called connect() gets the user’s rejection', async ({ page, visit }) => {
    await visit()
    const outcome = inDapp(page, (postern) =>
      postern.connect().then(
        () => 'connected',
        (error: { code: string }) => error.code,
      ),
    )
    await expect(card(page, 'Connect')).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Close' }))
    expect(await outcome).toBe('USER_REJECTED')
    await expect(card(page)).toBeHidden()
  })

  test('@connect the dapp can cancel connect()', async ({ page, visit }) => {
    await visit()
    const outcome = inDapp(page, (postern) => {
      const controller = new AbortController()
      Object.assign(window, { callOff: () => controller.abort() })
      return postern.connect({ signal: controller.signal }).then(
        () => 'connected',
        (error: { code: string }) => error.code,
      )
    })
    await expect(card(page, 'Connect')).toBeVisible()
    await page.evaluate('callOff()')
    expect(await outcome).toBe('ABORTED')
    await expect(card(page)).toBeHidden()
  })

  test('@connect going back after a declined request stays disconnected', async ({ page, visit }) => {
    await visit()
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await expect(walletPrompt(page)).toBeVisible()
    await reject(page)
    await press(modal(page).getByRole('button', { name: 'Back' }))
    await expect(card(page, 'Connect')).toBeVisible()
    await press(modal(page).getByRole('button', { name: 'Close' }))
    await expect(card(page)).toBeHidden()
    expect(await status(page)).toBe('disconnected')
  })

  test('@connect a declined switch keeps the network', async ({ page, visit }) => {
    await visit()
    await connect(page)
    await switchFromModal(page, 'Postern Devnet Two')
    await reject(page)
    await expect(modal(page).getByRole('button', { name: /^Postern Devnet Two.*Request declined/ })).toBeVisible()
    expect(await chainId(page)).toBe('eip155:31337')
  })
})

test.describe('a locked wallet', () => {
  test('@main @connect asks for the unlock, then connects', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), locked: true }] })
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await unlock(page)
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => address(page)).toBe(addressOf(lane.account))
  })

  test('@connect locked while connected: the dapp sees no account', async ({ page, visit }) => {
    await visit()
    await connect(page)
    await page.evaluate((rdns) => window.devnetWallets?.[rdns]?.lock(), rdns)
    await expect.poll(() => status(page)).toBe('disconnected')
    expect(await request(page, 'eth_accounts')).toEqual({ result: [] })
  })

  test('@connect @storage locked during a reload: stays disconnected', async ({ page, visit }) => {
    await visit()
    await connect(page)
    await page.evaluate((rdns) => window.devnetWallets?.[rdns]?.lock(), rdns)
    await expect.poll(() => status(page)).toBe('disconnected')
    await page.reload()
    await expect.poll(() => phase(page)).toMatch(/idle|ready/)
    expect(await status(page)).toBe('disconnected')
  })
})

test.describe('changes in the wallet', () => {
  test('@connect follows an account change', async ({ page, visit, lane }) => {
    await visit()
    await connect(page)
    await recordEvents(page)
    await page.evaluate(([rdns, account]) => window.devnetWallets?.[rdns]?.switchAccount(account), [
      rdns,
      lane.otherAccount,
    ] as const)
    await expect.poll(() => address(page)).toBe(addressOf(lane.otherAccount))
    await expect.poll(() => events(page)).toEqual([['accountsChanged', [addressOf(lane.otherAccount)]]])
  })

  test('@connect follows a change to another configured network', async ({ page, visit }) => {
    await visit()
    await connect(page)
    await recordEvents(page)
    await page.evaluate((rdns) => window.devnetWallets?.[rdns]?.switchChain(31338), rdns)
    await expect.poll(() => chainId(page)).toBe('eip155:31338')
    await expect.poll(() => events(page)).toEqual([['chainChanged', '0x7a6a']])
  })

  test('@main @connect reports an unsupported network, with a way back', async ({ page, visit }) => {
    await visit({ networks: 'eip155:31337' })
    await connect(page)
    await page.evaluate((rdns) => window.devnetWallets?.[rdns]?.switchChain(31338), rdns)
    await expect(modal(page).getByText('Unsupported network')).toBeVisible()
    await press(modal(page).getByRole('button', { name: /^Postern Devnet\b/ }))
    await approve(page)
    await expect(modal(page).getByText('Unsupported network')).toBeHidden()
    await expect.poll(() => chainId(page)).toBe('eip155:31337')
    await expect.poll(() => unsupported(page)).toBe(false)
  })

  test('@connect connecting on an unsupported network shows the same', async ({ page, visit, lane }) => {
    await visit({ networks: 'eip155:31337', wallets: [{ ...devnetWallet(lane.account), chain: 31338 }] })
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    await expect(modal(page).getByText('Unsupported network')).toBeVisible()
    await expect.poll(() => unsupported(page)).toBe(true)
  })

  test('@connect adds a network that the wallet does not have', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), knows: [31337] }] })
    await connect(page)
    await switchFromModal(page, 'Postern Devnet Two')
    await expect(walletPrompt(page)).toContainText('Add a network')
    await approve(page)
    await expect.poll(() => chainId(page)).toBe('eip155:31338')
  })

  test('@connect a network that the user does not add keeps the current one', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), knows: [31337] }] })
    await connect(page)
    const switched = inDapp(page, (postern) =>
      postern.switchNetwork('eip155:31338').then(
        () => 'switched',
        (error: { code: string }) => error.code,
      ),
    )
    await expect(walletPrompt(page)).toContainText('Add a network')
    await reject(page)
    expect(await switched).toMatch(/USER_REJECTED|CHAIN_NOT_SUPPORTED/)
    expect(await chainId(page)).toBe('eip155:31337')
  })

  test('@connect permission revoked by the dapp ends the session', async ({ page, visit }) => {
    await visit()
    await connect(page)
    await request(page, 'wallet_revokePermissions', [{ eth_accounts: {} }])
    await expect.poll(() => status(page)).toBe('disconnected')
  })

  test('@main @connect a request settles when its wallet disappears', async ({ page, visit, lane }) => {
    await visit()
    await connect(page)
    const signing = request(page, 'personal_sign', ['0x68656c6c6f', addressOf(lane.account)])
    await expect(walletPrompt(page)).toBeVisible()
    await page.evaluate((rdns) => window.devnetWallets?.[rdns]?.vanish(), rdns)
    expect(await signing).toMatchObject({ code: 4900 })
    await expect.poll(() => status(page)).toBe('disconnected')
  })
})

test.describe('available wallets', () => {
  test('@connect asks the chosen one of two wallets', async ({ page, visit, lane }) => {
    await visit({ wallets: [devnetWallet(lane.account), secondWallet(lane.otherAccount)] })
    await openConnect(page)
    await expect(walletRow(page, 'Devnet Wallet')).toBeVisible()
    await chooseWallet(page, 'Second Wallet')
    await expect(walletPrompt(page, 'Devnet Wallet')).toBeHidden()
    await approve(page, 'Second Wallet')
    await expect(card(page)).toBeHidden()
    await expect.poll(() => address(page)).toBe(addressOf(lane.otherAccount))
  })

  test('@connect @storage lists the last used wallet first', async ({ page, visit, lane }) => {
    await visit({ wallets: [devnetWallet(lane.account), secondWallet(lane.otherAccount)] })
    await connect(page, 'Second Wallet')
    await inDapp(page, (postern) => postern.disconnect())
    await expect.poll(() => status(page)).toBe('disconnected')
    await page.reload()
    await openConnect(page)
    const first = modal(page).getByRole('listitem').first()
    await expect(first).toContainText('Second Wallet')
    await expect(first).toContainText('Recent')
  })

  test('@main @connect a wallet without EIP-6963 connects by window.ethereum', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), legacy: true, silent: true }] })
    await openConnect(page)
    await press(modal(page).getByRole('button', { name: /Browser wallet|Injected/i }))
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => address(page)).toBe(addressOf(lane.account))
  })

  test('@connect a wallet that supports both is one row', async ({ page, visit, lane }) => {
    await visit({ wallets: [{ ...devnetWallet(lane.account), legacy: true }] })
    await openConnect(page)
    await expect(modal(page).getByText('Installed')).toHaveCount(1)
  })

  test('@connect without a wallet, suggests some to install', async ({ page, visit }) => {
    await visit({ wallets: [] })
    await openConnect(page)
    await expect(modal(page).getByText('No wallet found in this browser')).toBeVisible()
    await press(modal(page).getByRole('button', { name: /^MetaMask\b/ }))
    await expect(modal(page).getByText('MetaMask isn’t installed')).toBeVisible()
    const link = modal(page).getByRole('link').first()
    await expect(link).toHaveAttribute('href', /^https:\/\//)
    await expect(link).toHaveAttribute('rel', /noopener/)
  })

  test('@connect a wallet that announces itself late is listed', async ({ page, visit, lane }) => {
    await visit({ wallets: [] })
    await openConnect(page)
    await installWallet(page, devnetWallet(lane.account))
    await chooseWallet(page, 'Devnet Wallet')
    await approve(page)
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@connect all wallets can be searched', async ({ page, visit }) => {
    await visit()
    await openConnect(page)
    await press(modal(page).getByRole('button', { name: /^All wallets\b/ }))
    await expect(card(page, 'All wallets')).toBeVisible()
    await modal(page).getByRole('searchbox').fill('rainb')
    await expect(modal(page).getByRole('button', { name: /^Rainbow\b/ })).toBeVisible()
    await expect(modal(page).getByRole('button', { name: /^MetaMask\b/ })).toBeHidden()
    await modal(page).getByRole('searchbox').fill('no such wallet anywhere')
    await expect(modal(page).getByText('No wallets found').first()).toBeVisible()
  })
})

test.describe('two tabs of one dapp', () => {
  test('@main @connect @engines @storage agree on the connection and its end', async ({
    page,
    context,
    visit,
    lane,
  }) => {
    const address = await visit()
    const other = await context.newPage()
    await other.goto(address)
    // Background tabs draw once a second: a click would take half a minute.
    await page.bringToFront()
    await connect(page)
    await expect.poll(() => status(other)).toBe('connected')
    expect(await accounts(other)).toEqual([addressOf(lane.account)])
    await inDapp(other, (postern) => postern.disconnect())
    await expect.poll(() => status(page)).toBe('disconnected')
    await expect.poll(() => status(other)).toBe('disconnected')
  })
})

function accounts(page: Page): Promise<unknown> {
  return inDapp(page, (postern) => postern.eip155.request({ method: 'eth_accounts' }))
}

const phase = (page: Page) => inDapp(page, (postern) => postern.getSnapshot().phase)

const unsupported = (page: Page) =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    return connection?.status === 'connected' && connection.unsupported === true
  })

/** An extension enabled after the page had loaded. */
async function installWallet(page: Page, wallet: VisitorWallet): Promise<void> {
  await page.evaluate(
    (wallet) =>
      new Promise<void>((resolve) => {
        const script = document.createElement('script')
        script.src = '/page-wallet.js'
        Object.assign(script.dataset, wallet)
        script.onload = () => resolve()
        document.head.append(script)
      }),
    { name: wallet.name, rdns: wallet.rdns, account: String(wallet.account) },
  )
}

async function recordEvents(page: Page): Promise<void> {
  await inDapp(page, (postern) => {
    const seen: unknown[] = []
    Object.assign(window, { seen })
    for (const event of ['accountsChanged', 'chainChanged', 'connect', 'disconnect'] as const) {
      postern.eip155.on(event, (data: unknown) => seen.push([event, data]))
    }
  })
}

const events = (page: Page) => page.evaluate('seen')

/** The backdrop takes no press during an animation of its own, which the test holds. */
test('@connect the second press of a double press on the connect button or on a row closes nothing', async ({
  page,
  visit,
}) => {
  await page.addInitScript(() => {
    addEventListener('animationstart', ({ target }) => {
      if (!(target instanceof HTMLButtonElement)) return
      for (const animation of target.getAnimations()) {
        animation.pause()
        animation.currentTime = 0
      }
    })
  })
  const beside = [5, 635] as const
  const endAnimations = () =>
    card(page).evaluate(({ ownerDocument }) => {
      for (const animation of ownerDocument.getAnimations()) animation.finish()
    })
  await visit()
  await openConnect(page)
  await page.mouse.click(...beside)
  await expect(card(page, 'Connect')).toBeVisible()
  await endAnimations()
  await press(walletRow(page, 'MetaMask'))
  await expect(card(page, 'MetaMask')).toBeVisible()
  await page.mouse.click(...beside)
  await expect(card(page, 'MetaMask')).toBeVisible()
  await endAnimations()
  await page.mouse.click(...beside)
  await expect(card(page)).toBeHidden()
})
