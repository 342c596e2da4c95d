/** When it is requested, each way it ends, and what a server makes of it. */
import type { Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import { listen, signInEvents } from './support/analytics'
import { bitcoinAddress } from './support/bitcoin'
import { installClock } from './support/clock'
import { allChains, bitcoinNetwork, bothChains, devnetWallet, multiWallet, solanaNetwork } from './support/dapp'
import { approveOnPhone, connectByLink, rejectOnPhone } from './support/mobile-wallet'
import { addressOf } from './support/money'
import {
  address,
  approve,
  card,
  chainId,
  chooseWallet,
  connectButton,
  connected,
  inDapp,
  modal,
  openConnect,
  openModal,
  pageAlert,
  press,
  reject,
  status,
  walletPrompt,
} from './support/postern'
import {
  askedOf,
  cancelButton,
  connectAndBeAsked,
  keptAccounts,
  keptSessions,
  prompt,
  signButton,
  signInModule,
  signInWith,
  tryAgain,
  untilAsked,
  untilLookedAt,
} from './support/sign-in'
import { solanaAddress } from './support/solana'
import { expect, test } from './support/test'

const rdns = 'dev.postern.devnet-wallet'
const ready = '{ siwx: ready() }'
const optional = '{ siwx: ready({ required: false }) }'
const dapp = (options: string, networks = bothChains, projectId = 'demo') => ({
  networks,
  projectId,
  module: signInModule({ options, networks, projectId }),
})

const useAccount = (page: Page, account: number) =>
  page.evaluate(([rdns, account]) => window.devnetWallets?.[rdns]?.switchAccount(account), [rdns, account] as const)
const useChain = (page: Page, chain: number) =>
  page.evaluate(([rdns, chain]) => window.devnetWallets?.[rdns]?.switchChain(chain), [rdns, chain] as const)
const disconnect = (page: Page) => inDapp(page, (postern) => postern.disconnect())

test('@main @siwx @storage asks once: the session is stored, the modal closes, and a reload does not ask', async ({
  page,
  visit,
  lane,
}) => {
  await visit(dapp(ready))
  await connectAndBeAsked(page)
  await expect(prompt(page)).toContainText('Verify your wallet')
  await expect(prompt(page)).toContainText('dapp.localhost')
  await press(signButton(page))
  await expect(walletPrompt(page)).toContainText('wants you to sign in with your Ethereum account')
  await approve(page)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')

  const [session, ...others] = await keptSessions(page)
  if (session === undefined) throw new Error('Nothing was kept.')
  expect(others).toEqual([])
  expect(session.data).toMatchObject({ chainId: 'eip155:31337', accountAddress: addressOf(lane.account) })
  expect(session.data.domain).toBe(new URL(page.url()).host)
  const { message, signature } = session
  expect(signature.startsWith('0x')).toBe(true)
  expect(await verifyMessage({ address: addressOf(lane.account), message, signature: `0x${signature.slice(2)}` })).toBe(
    true,
  )

  await page.reload()
  await page.waitForFunction(() => 'Postern' in window)
  await expect.poll(() => status(page)).toBe('connected')
  await untilLookedAt(page, 1)
  await openModal(page)
  await expect(card(page, 'Account')).toBeVisible()
  expect(await askedOf(page, 'createMessage')).toEqual([])
})

test('@siwx does not ask on an unsupported network, but asks on return', async ({ page, visit, lane }) => {
  await visit({ ...dapp(ready, 'eip155:31337'), wallets: [{ ...devnetWallet(lane.account), chain: 31338 }] })
  await openConnect(page)
  await chooseWallet(page, 'Devnet Wallet')
  await approve(page)
  await expect(modal(page).getByText('Unsupported network')).toBeVisible()
  expect(await askedOf(page)).toEqual([])
  await useChain(page, 31337)
  await untilAsked(page)
  await signInWith(page)
  await expect.poll(() => keptAccounts(page)).toEqual([`eip155:31337:${addressOf(lane.account)}`])
})

test('@siwx shows a signature declined in the wallet, and a retry works', async ({ page, visit, lane }) => {
  const heard = listen(page)
  await visit(dapp(ready))
  await connectAndBeAsked(page)
  await press(signButton(page))
  await reject(page)
  await expect(prompt(page)).toContainText('Signature declined')
  await expect(prompt(page)).toContainText('You’re not signed in')
  await expect.poll(() => status(page)).toBe('connected')
  expect(await keptAccounts(page)).toEqual([])
  await press(tryAgain(page))
  await approve(page)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => keptAccounts(page)).toEqual([`eip155:31337:${addressOf(lane.account)}`])
  const tries = ['SIWX_AUTH_ERROR', 'SIWX_AUTH_SUCCESS'].flatMap((end) => ['CLICK_SIGN_SIWX_MESSAGE', end])
  await expect.poll(() => signInEvents(heard)).toEqual(tries)
})

test('@smoke @main @siwx required: cancel disconnects and shows Connect', async ({ page, visit }) => {
  await visit(dapp(ready))
  await connectAndBeAsked(page)
  await expect(prompt(page)).toContainText('Cancelling will disconnect Devnet Wallet')
  await press(cancelButton(page))
  await expect(card(page, 'Connect')).toBeVisible()
  await expect.poll(() => status(page)).toBe('disconnected')
})

test('@siwx optional: cancel closes, the wallet stays connected, and is not asked again', async ({ page, visit }) => {
  await visit(dapp(optional))
  await connectAndBeAsked(page)
  await press(cancelButton(page))
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')
  await openModal(page)
  await expect(card(page, 'Account')).toBeVisible()
})

test('@siwx optional: closing cancels', async ({ page, visit }) => {
  await visit(dapp(optional))
  await connectAndBeAsked(page)
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')
  expect(await keptAccounts(page)).toEqual([])
})

test.describe('closing a required sign-in', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('@siwx is refused, and the card shakes: close button, Escape, and the dapp’s close', async ({ page, visit }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    const shakes = await countShakes(page)
    await press(prompt(page).getByRole('button', { name: 'Close' }))
    await expect.poll(shakes).toBe(1)
    await page.keyboard.press('Escape')
    await expect.poll(shakes).toBe(2)
    await inDapp(page, (postern) => postern.close().catch(() => {}))
    await expect.poll(shakes).toBe(3)
    await expect(signButton(page)).toBeVisible()
    await inDapp(page, (postern) => postern.open({ view: 'Networks' }))
    await expect(signButton(page)).toBeVisible()
    await signInWith(page)
  })
})

test.describe('a page that cannot report its sessions', () => {
  const problem = 'A problem occurred while trying initialize authentication'
  const broken = {
    throws: 'async () => { throw new Error("The page has a fault") }',
    'returns a text': 'async () => "nonsense"',
    'returns malformed sessions': 'async () => [null, { data: 7 }]',
  }
  for (const [how, getSessions] of Object.entries(broken))
    test(`@siwx ${how}: disconnects, shows the reason and Connect`, async ({ page, visit }) => {
      await visit(dapp(`{ siwx: { ...ready(), getSessions: ${getSessions} } }`))
      await connectTo(page)
      await expect(modal(page).getByText(problem)).toBeVisible()
      await expect(card(page, 'Connect')).toBeVisible()
      await expect.poll(() => status(page)).toBe('disconnected')
    })

  test('@siwx on a returning user’s visit: disconnects, and shows the reason when the modal opens', async ({
    page,
    visit,
  }) => {
    const getSessions = `(...asked) => {
      if (localStorage.getItem('broken')) throw new Error('The page has a fault')
      return ready().getSessions(...asked)
    }`
    await visit(dapp(`{ siwx: { ...ready(), getSessions: ${getSessions} } }`))
    await connectAndBeAsked(page)
    await signInWith(page)
    await page.evaluate(() => localStorage.setItem('broken', 'yes'))
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
    await expect.poll(() => status(page)).toBe('disconnected')
    await openConnect(page)
    await expect(modal(page).getByText(problem)).toBeVisible()
  })

  test('@siwx hangs: disconnects, shows the error and Connect', async ({ page, visit }) => {
    await installClock(page)
    await visit(dapp('{ siwx: { ...ready(), getSessions: () => new Promise(() => {}) } }'))
    await connectTo(page)
    await expect.poll(async () => (await askedOf(page, 'getSessions')).length).toBe(1)
    await page.clock.fastForward('00:31')
    await expect(modal(page).getByText(problem)).toBeVisible()
    await expect.poll(() => status(page)).toBe('disconnected')
  })
})

test.describe('a page callback that fails', () => {
  const cases = {
    'createMessage throws': `createMessage: failOnce('No nonce today', plugin.createMessage)`,
    'addSession throws': `addSession: failOnce('No nonce today', plugin.addSession)`,
  }
  for (const [what, callback] of Object.entries(cases))
    test(`@siwx ${what}: its message is shown, and a retry works`, async ({ page, visit, lane }) => {
      await visit(dapp(`{ siwx: ((plugin) => ({ ...plugin, ${callback} }))(ready()) }`))
      await connectAndBeAsked(page)
      await press(signButton(page))
      if (what.startsWith('addSession')) await approve(page)
      await expect(prompt(page)).toContainText('The app couldn’t sign you in')
      await expect(prompt(page)).toContainText('No nonce today')
      expect(await keptAccounts(page)).toEqual([])
      await press(tryAgain(page))
      await approve(page)
      await expect(card(page)).toBeHidden()
      await expect.poll(() => keptAccounts(page)).toEqual([`eip155:31337:${addressOf(lane.account)}`])
    })

  test('@siwx a message for another account is not shown to the wallet', async ({ page, visit, lane }) => {
    const other = addressOf(lane.otherAccount)
    await visit(
      dapp(`{ siwx: ((plugin) => ({
        ...plugin,
        createMessage: ({ chainId }) => plugin.createMessage({ chainId, accountAddress: '${other}' }),
      }))(ready()) }`),
    )
    await connectAndBeAsked(page)
    await press(signButton(page))
    await expect(prompt(page)).toContainText('The app couldn’t sign you in')
    await expect(walletPrompt(page)).toBeHidden()
  })

  test('@siwx createMessage hangs: shows an error after the timeout, and the modal still works', async ({
    page,
    visit,
  }) => {
    await installClock(page)
    await visit(dapp('{ siwx: { ...ready(), createMessage: () => new Promise(() => {}) } }'))
    await connectAndBeAsked(page)
    await press(signButton(page))
    await expect.poll(async () => (await askedOf(page, 'createMessage')).length).toBe(1)
    await page.clock.fastForward('00:31')
    await expect(prompt(page)).toContainText('The app couldn’t sign you in')
    await press(cancelButton(page))
    await expect(card(page, 'Connect')).toBeVisible()
  })
})

test.describe('another account, another network', () => {
  test('@main @siwx asks for another account, and still knows the first one', async ({ page, visit, lane }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    await signInWith(page)
    await useAccount(page, lane.otherAccount)
    await untilAsked(page)
    await signInWith(page)
    await expect
      .poll(() => keptAccounts(page))
      .toEqual([`eip155:31337:${addressOf(lane.account)}`, `eip155:31337:${addressOf(lane.otherAccount)}`])
    const before = (await askedOf(page, 'getSessions')).length
    await useAccount(page, lane.account)
    await expect.poll(() => address(page)).toBe(addressOf(lane.account))
    await untilLookedAt(page, before + 1)
    await openModal(page)
    await expect(card(page, 'Account')).toBeVisible()
  })

  test('@siwx asks for another network', async ({ page, visit, lane }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    await signInWith(page)
    await useChain(page, 31338)
    await untilAsked(page)
    await expect(prompt(page)).toContainText('Postern Devnet Two')
    await signInWith(page)
    await expect.poll(() => chainId(page)).toBe('eip155:31338')
    await expect
      .poll(() => keptAccounts(page))
      .toEqual([`eip155:31337:${addressOf(lane.account)}`, `eip155:31338:${addressOf(lane.account)}`])
  })

  test('@siwx an account switched to during signing is not signed in by that signature', async ({
    page,
    visit,
    lane,
  }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    await press(signButton(page))
    await expect(walletPrompt(page)).toBeVisible()
    await useAccount(page, lane.otherAccount)
    await expect.poll(() => address(page)).toBe(addressOf(lane.otherAccount))
    await approve(page)
    await untilAsked(page)
    expect(await keptAccounts(page)).toEqual([])
    await signInWith(page)
    await expect.poll(() => keptAccounts(page)).toEqual([`eip155:31337:${addressOf(lane.otherAccount)}`])
  })
})

test.describe('the end of a connection', () => {
  test('@siwx ends the sessions of its account on every chain, and no other account’s', async ({
    page,
    visit,
    lane,
  }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    await signInWith(page)
    await useAccount(page, lane.otherAccount)
    await untilAsked(page)
    await signInWith(page)
    await useChain(page, 31338)
    await untilAsked(page)
    await signInWith(page)
    await expect.poll(() => keptAccounts(page)).toHaveLength(3)
    await disconnect(page)
    await expect.poll(() => keptAccounts(page)).toEqual([`eip155:31337:${addressOf(lane.account)}`])
  })

  test('@siwx also if the user did not sign in on another network', async ({ page, visit }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    await signInWith(page)
    await useChain(page, 31338)
    await untilAsked(page)
    await press(cancelButton(page))
    await expect(card(page, 'Connect')).toBeVisible()
    await expect.poll(() => status(page)).toBe('disconnected')
    await expect.poll(() => keptAccounts(page)).toEqual([])
  })

  test('@siwx keeps the session if the dapp says so, and a returning user is not asked', async ({
    page,
    visit,
    lane,
  }) => {
    await visit(dapp('{ siwx: ready({ signOutOnDisconnect: false }) }'))
    await connectAndBeAsked(page)
    await signInWith(page)
    await disconnect(page)
    await expect.poll(() => status(page)).toBe('disconnected')
    await openConnect(page)
    await chooseWallet(page, 'Devnet Wallet')
    // The page cannot see it after the connection has ended.
    await approve(page)
    await expect(card(page)).toBeHidden()
    await expect.poll(() => status(page)).toBe('connected')
    expect(await askedOf(page, 'revokeSession')).toEqual([])
    await expect.poll(() => keptAccounts(page)).toEqual([`eip155:31337:${addressOf(lane.account)}`])
  })
})

/** Until the session has visibly ended. The jump may interrupt messages; then the next check is half a minute later. */
async function runOut(page: Page, seen: () => Promise<void>): Promise<void> {
  let jump = '10:01'
  await expect(async () => {
    const by = jump
    jump = '00:31'
    await page.clock.fastForward(by)
    await seen()
  }).toPass({ timeout: 60_000 })
}

test.describe('a session that expires while the page is open', () => {
  test('@siwx asks again if required', async ({ page, visit }) => {
    await installClock(page)
    await visit(dapp('{ siwx: ready({ expiresIn: 600_000 }) }'))
    await connectAndBeAsked(page)
    await signInWith(page)
    await runOut(page, () => expect(signButton(page)).toBeEnabled({ timeout: 8_000 }))
    await untilAsked(page)
    await signInWith(page)
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@siwx just ends if optional', async ({ page, visit }) => {
    await installClock(page)
    await visit(dapp('{ siwx: ready({ expiresIn: 600_000, required: false }) }'))
    await connectAndBeAsked(page)
    await signInWith(page)
    const before = (await askedOf(page, 'getSessions')).length
    await runOut(page, () => untilLookedAt(page, before + 1))
    await openModal(page)
    await expect(card(page, 'Account')).toBeVisible()
    await expect.poll(() => status(page)).toBe('connected')
  })

  test('@siwx asks at once if the page itself ends it', async ({ page, visit }) => {
    await visit(dapp(ready))
    await connectAndBeAsked(page)
    await signInWith(page)
    await page.evaluate('plugin.setSessions([])')
    await untilAsked(page)
    await signInWith(page)
  })
})

test('@siwx asks in this tab for a session that ends in another tab', async ({ page, context, visit }) => {
  const here = await visit(dapp(ready))
  await connectAndBeAsked(page)
  await signInWith(page)
  const other = await context.newPage()
  await other.goto(here)
  await other.waitForFunction(() => 'Postern' in window)
  await other.evaluate('plugin.setSessions([])')
  await untilAsked(page)
  await expect.poll(() => status(page)).toBe('connected')
})

test('@siwx @solana @bitcoin a wallet for three chains: a session on each, one after the other', async ({
  page,
  visit,
  lane,
}) => {
  test.slow()
  const name = 'Devnet Multi Wallet'
  await visit({ ...dapp(ready, allChains), wallets: [multiWallet(lane.account)] })
  const accounts = [
    ['eip155:31337', addressOf(lane.account), 'Ethereum', 'Ethereum & EVM'],
    [solanaNetwork, solanaAddress(lane.account), 'Solana', 'Solana'],
    [bitcoinNetwork, bitcoinAddress(lane.account), 'Bitcoin', 'Bitcoin'],
  ] as const
  for (const [index, [network, who, chain, words]] of accounts.entries()) {
    await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
    await chooseWallet(page, name)
    await press(modal(page).getByRole('list', { name: 'Choose a network' }).getByRole('button', { name: words }))
    await approve(page, name)
    await untilAsked(page)
    await press(signButton(page))
    await expect(walletPrompt(page, name)).toContainText(`wants you to sign in with your ${chain} account`)
    await approve(page, name)
    await expect(card(page)).toBeHidden()
    await expect.poll(async () => (await keptAccounts(page))[index]).toBe(`${network}:${who}`)
  }
  await expect.poll(() => connected(page)).toEqual(['bip122', 'eip155', 'solana'])
  await inDapp(page, (postern) => postern.disconnect('solana'))
  await expect.poll(async () => (await keptAccounts(page)).length).toBe(2)
})

test('@siwx @walletconnect a phone wallet declines, then signs in', async ({ page, visit, phone, lane }) => {
  test.slow()
  const wallet = await phone()
  await visit({ ...dapp('{ siwx: ready() }', bothChains, 'mobile'), wallets: [] })
  await connectByLink(page, wallet)
  await untilAsked(page)
  await press(signButton(page))
  await rejectOnPhone(wallet)
  await expect(prompt(page)).toContainText('Signature declined')
  await press(tryAgain(page))
  await approveOnPhone(wallet)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => keptAccounts(page)).toContain(`eip155:31337:${addressOf(lane.account)}`)
  await expect.poll(() => status(page)).toBe('connected')
})

test('@siwx both configurations together are rejected', async ({ page, visit }) => {
  await visit(
    dapp(`{ siwx: ready(), siweConfig: {
      getNonce: async () => createNonce(), createMessage: () => '', verifyMessage: async () => true,
      getSession: async () => null, signOut: async () => true,
    } }`),
  )
  await connectButton(page).click()
  await expect(pageAlert(page)).toContainText('Both siweConfig and siwx are set')
  await expect(card(page)).toBeHidden()
})

test('@siwx the older configuration uses its own callbacks', async ({ page, visit, lane }) => {
  await visit(
    dapp(`{ siweConfig: {
      getNonce: async () => createNonce(),
      createMessage: ({ address, chainId, nonce, iat, domain, uri }) => formatMessage({
        domain, uri, nonce, version: '1', issuedAt: iat, chainId: 'eip155:' + chainId, accountAddress: address.split(':')[2],
      }),
      verifyMessage: async ({ message, signature }) => {
        window.verified = (window.verified ?? 0) + 1
        if (window.verified === 1) return false
        localStorage.setItem('older', JSON.stringify({ address: siwx.parseMessage(message).accountAddress, chainId: 31337 }))
        return signature.startsWith('0x')
      },
      getSession: async () => JSON.parse(localStorage.getItem('older') ?? 'null'),
      signOut: async () => { localStorage.removeItem('older'); return true },
      onSignIn: (session) => { window.signedIn = session },
      onSignOut: () => { window.signedOut = true },
    } }`),
  )
  await connectAndBeAsked(page)
  await press(signButton(page))
  await approve(page)
  await expect(prompt(page)).toContainText('The app couldn’t sign you in')
  await press(tryAgain(page))
  await approve(page)
  await expect(card(page)).toBeHidden()
  await expect
    .poll(() => page.evaluate('window.signedIn'))
    .toEqual({ address: addressOf(lane.account), chainId: 31337 })
  await disconnect(page)
  await page.waitForFunction('window.signedOut === true')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('older'))).toBe(null)
})

async function connectTo(page: Page, wallet = 'Devnet Wallet'): Promise<void> {
  await openConnect(page)
  await chooseWallet(page, wallet)
  await approve(page, wallet)
}

async function countShakes(page: Page): Promise<() => Promise<number>> {
  await prompt(page).evaluate(() => {
    let shakes = 0
    const { animate } = Element.prototype
    Element.prototype.animate = function (...how) {
      if (JSON.stringify(how[0]).includes('translateX(-8px)')) shakes += 1
      Object.assign(window, { shakes })
      return Reflect.apply(animate, this, how)
    }
    Object.assign(window, { shakes })
  })
  return () => prompt(page).evaluate(() => Number(Reflect.get(window, 'shakes')))
}
