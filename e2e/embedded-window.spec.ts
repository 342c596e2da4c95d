/** Where requests to the embedded wallet are approved: in the page's frame, or in the wallet's own window. */
import type { Page } from '@playwright/test'
import { type Address, parseEther, toHex } from 'viem'
import { allChains, dappPage, solanaNetwork } from './support/dapp'
import {
  approveInFrame,
  approveInWindow,
  approveRequest,
  bytesOf,
  continueButton,
  declineRequest,
  walletFrameIn as frame,
  newEvmAddress,
  openApprovalWindow as openWindow,
  shown,
  signedIn,
  signInMessage,
  withoutOcclusionReports,
} from './support/embedded'
import { evm } from './support/money'
import { card, inDapp, type Outcome, opening, press, request, requestIn, statusIn } from './support/postern'
import { pressToEnd, untilClosed } from './support/social'
import { airdrop, newSolanaAddress, transfer } from './support/solana'
import { expect, test } from './support/test'

const approveIn = (popup: Page) => popup.getByRole('button', { name: 'Approve', exact: true })

const sign = (page: Page, account: Address, text: string): Promise<Outcome> =>
  request(page, 'personal_sign', [toHex(text), account])

async function isSigned(address: Address, message: string, outcome: Promise<Outcome>): Promise<void> {
  expect(await evm.verifyMessage({ address, message, signature: bytesOf(await outcome) })).toBe(true)
}

async function signTransfer(page: Page, from: string, sol: number): Promise<Outcome> {
  const amount = Math.round(sol * 1_000_000_000)
  const transaction = await transfer('versioned', { from, to: newSolanaAddress(), amount })
  return requestIn(page, 'solana', 'solana_signTransaction', { transaction, network: solanaNetwork })
}

const owner = async (page: Page): Promise<Address> => (await signedIn(page)).eip155

test('@main @embedded @hostile a page that only a wildcard allows approves in the window', async ({
  page,
  sites,
  gateway,
}) => {
  const url = sites.serve(
    'pr-7.wild',
    '/',
    dappPage({ host: gateway.origin, projectId: 'wildcard', wallets: [], networks: allChains }),
  )
  await page.goto(url)
  await page.waitForFunction(() => 'Postern' in window)
  const account = await owner(page)
  const waiting = sign(page, account, 'From a preview')
  await shown(page, waiting)
  await expect(frame(page).getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  await expect(frame(page).getByText('The app doesn’t list this page’s exact address')).toBeVisible()

  const popup = await openWindow(page)
  await expect(popup.getByText('From a preview')).toBeVisible()
  await expect(popup.getByText(new URL(url).host).first()).toBeVisible()
  await expect(frame(page).getByText('Approve in the window that opened.')).toBeVisible()
  await approveInWindow(popup)
  await isSigned(account, 'From a preview', waiting)
  await untilClosed(popup)
  await expect(card(page)).toBeHidden()
})

/** Watches inside the window, because the button is armed again soon. */
const whenDisarmed = (popup: Page, request: string): Promise<void> =>
  popup.evaluate(
    (request) =>
      new Promise((resolve) => {
        const look = () => {
          const approve = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Approve')
          const isDisarmed = approve?.getAttribute('aria-disabled') === 'true'
          if (isDisarmed && document.body.textContent?.includes(request)) resolve()
        }
        const options = { subtree: true, childList: true, attributes: true, characterData: true }
        new MutationObserver(look).observe(document.body, options)
      }),
    request,
  )

test('@embedded @engines a project can require the window always', async ({ page, visit }) => {
  await visit({ projectId: 'window', wallets: [], networks: allChains })
  const account = await owner(page)

  await test.step('two requests come one after the other in one window', async () => {
    const [first, second] = [sign(page, account, 'The first'), sign(page, account, 'The second')]
    await shown(page, first)
    await expect(frame(page).getByText('approve in your wallet’s own window')).toBeVisible()
    const popup = await openWindow(page)
    await expect(popup.getByText('1 of 2')).toBeVisible()
    await expect(popup.getByText('The first')).toBeVisible()
    const armsAgain = whenDisarmed(popup, 'The second')
    await approveInWindow(popup)
    await isSigned(account, 'The first', first)
    await expect(popup.getByText('The second')).toBeVisible()
    await armsAgain
    await pressToEnd(popup.getByRole('button', { name: 'Decline', exact: true }))
    expect(await second).toMatchObject({ code: 4001 })
    await untilClosed(popup)
    await expect(card(page)).toBeHidden()
  })

  await test.step('closing the window leaves the request waiting', async () => {
    const waiting = sign(page, account, 'Still there')
    await shown(page, waiting)
    const popup = await openWindow(page)
    await expect(popup.getByText('Still there')).toBeVisible()
    await popup.close()
    await expect(frame(page).getByText('This app has you approve in your wallet’s own window.')).toBeVisible()
    const again = await openWindow(page)
    await approveInWindow(again)
    await isSigned(account, 'Still there', waiting)
    // A window that is still open would take the next request.
    await untilClosed(again)
  })

  await test.step('a request that is declined in the page ends in the window too', async () => {
    const waiting = sign(page, account, 'Given up')
    await shown(page, waiting)
    const popup = await openWindow(page)
    await expect(popup.getByText('Given up')).toBeVisible()
    await declineRequest(page)
    expect(await waiting).toMatchObject({ code: 4001 })
    await expect(popup.getByText('The request was withdrawn or declined on the page.')).toBeVisible()
    await expect(approveIn(popup)).toHaveCount(0)
    await pressToEnd(popup.getByRole('button', { name: 'Close this window' }))
    await untilClosed(popup)
  })

  await test.step('a request that the sign-out ends is gone from the window', async () => {
    const waiting = sign(page, account, 'Ended by the sign-out')
    await shown(page, waiting)
    const popup = await openWindow(page)
    await expect(popup.getByText('Ended by the sign-out')).toBeVisible()
    await inDapp(page, (postern) => postern.disconnect())
    expect(await waiting).toMatchObject({ code: 4001 })
    await expect(popup.getByText('Ended by the sign-out')).toBeHidden()
    await expect(approveIn(popup)).toHaveCount(0)
  })
})

/** In ms, as in the wallet's `arming.ts`: {@link holdArming} fails if it holds no such timer. */
const armingDelayMs = 800

/**
 * Gives the wallet's own window an arming delay that ends by the returned function: on a slow machine, a press takes longer
 * than the real one.
 */
async function holdArming(page: Page): Promise<(popup: Page) => Promise<void>> {
  await page.context().addInitScript((delay) => {
    if (window.top !== window || window.opener === null) return
    const held = new Map<number, () => void>()
    let isHeld = true
    const { setTimeout, clearTimeout } = window
    Object.assign(window, {
      // real time: only the arming delay is held
      setTimeout(handler: () => void, ms?: number, ...rest: unknown[]) {
        // real time: of the window's own
        if (!isHeld || ms !== delay) return setTimeout(handler, ms, ...rest)
        // real time: never ends, for an id of its own
        const id = setTimeout(() => undefined, 2 ** 30)
        held.set(id, handler)
        return id
      },
      clearTimeout(id?: number) {
        held.delete(id ?? -1)
        clearTimeout(id)
      },
      endDelays() {
        if (held.size === 0) throw new Error('The button is not arming.')
        isHeld = false
        for (const handler of held.values()) handler()
      },
    })
  }, armingDelayMs)
  // It arms once the browser has reported the button as visible.
  return (popup) => expect(() => popup.evaluate('endDelays()')).toPass({ timeout: 20_000 })
}

test('@main @embedded @engines @hostile a double click that opens the window approves nothing', async ({
  page,
  visit,
}) => {
  const endDelay = await holdArming(page)
  await visit({ projectId: 'window', wallets: [], networks: allChains })
  const account = await owner(page)
  const waiting = sign(page, account, 'Not so fast')
  await shown(page, waiting)
  const popup = await openWindow(page)
  // The second press lands as soon as the button is drawn.
  await approveIn(popup).waitFor()
  // Again if the button was replaced in between.
  await expect(() => approveIn(popup).click({ force: true, timeout: 5_000 })).toPass()
  await endDelay(popup)
  await expect(approveIn(popup)).toBeEnabled()
  await expect(popup.getByText('Not so fast')).toBeVisible()
  await pressToEnd(popup.getByRole('button', { name: 'Decline', exact: true }))
  expect(await waiting).toMatchObject({ code: 4001 })
})

test.describe('in a browser in Arabic', () => {
  test.use({ locale: 'ar-EG' })

  test('@embedded the window speaks Arabic, the language of the browser', async ({ page, visit }) => {
    await visit({ projectId: 'window', wallets: [], networks: allChains })
    const waiting = sign(page, await owner(page), 'In Arabic')
    await shown(page, waiting)
    const popup = await openWindow(page)
    await expect(popup.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(popup.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(popup.getByText('وافق في محفظتك')).toBeVisible()
    await pressToEnd(popup.getByRole('button', { name: 'رفض', exact: true }))
    expect(await waiting).toMatchObject({ code: 4001 })
    await untilClosed(popup)
  })
})

test('@embedded a project can require the window above a value', async ({ page, visit }) => {
  await visit({ projectId: 'limit', wallets: [], networks: allChains })
  const { eip155: account, solana } = await signedIn(page)
  await evm.setBalance({ address: account, value: parseEther('100') })
  const send = (value: string) =>
    request(page, 'eth_sendTransaction', [{ from: account, to: newEvmAddress(), value: toHex(parseEther(value)) }])
  await airdrop(solana, 2_000_000_000)

  await test.step('a small transfer stays in the frame', async () => {
    const waiting = signTransfer(page, solana, 0.2)
    await shown(page, waiting)
    await expect(frame(page).getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
    await expect(continueButton(page)).toHaveCount(0)
    await declineRequest(page)
    expect(await waiting).toMatchObject({ code: 4001 })
  })

  await test.step('a large one, a coin of unknown worth, and a message go to the window', async () => {
    const requests = [
      () => signTransfer(page, solana, 1),
      () => send('5'),
      () => send('0.000001'),
      () => sign(page, account, 'What is it worth?'),
    ]
    for (const ask of requests) {
      const waiting = ask()
      await shown(page, waiting)
      await expect(frame(page).getByText('worth more than $100')).toBeVisible()
      await expect(frame(page).getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
      await declineRequest(page)
      expect(await waiting).toMatchObject({ code: 4001 })
    }
  })
})

/** The frame counts a SOL with 350 US dollars, as `floor-prices.ts` says, or more. */
test('@main @embedded @hostile the frame approves 100 US dollars a day, also after a reload', async ({
  page,
  visit,
}) => {
  await visit({ wallets: [], networks: allChains })
  const { solana } = await signedIn(page)
  await airdrop(solana, 2_000_000_000)
  for (let day = 1; day <= 4; day += 1) {
    const waiting = signTransfer(page, solana, 0.07)
    await shown(page, waiting)
    await approveInFrame(page)
    expect(await waiting).toHaveProperty('result')
    if (day === 2) {
      await page.reload()
      await expect.poll(() => statusIn(page, 'solana'), { timeout: 60_000 }).toBe('connected')
    }
  }
  const waiting = signTransfer(page, solana, 0.07)
  await shown(page, waiting)
  await expect(frame(page).getByText(/worth more than \$1\.\d\d is approved in your wallet’s own window/)).toBeVisible()
  await expect(frame(page).getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
  await approveRequest(page)
  expect(await waiting).toHaveProperty('result')
})

test('@embedded a blocked window is explained, and opens on the next try', async ({ page, context, visit }) => {
  await context.addInitScript(() => {
    if (!location.hostname.startsWith('wallet.')) return
    const { open } = window
    let isBlocked = true
    window.open = (...given) => {
      if (!isBlocked) return open(...given)
      isBlocked = false
      return null
    }
  })
  await visit({ projectId: 'window', wallets: [], networks: allChains })
  const account = await owner(page)
  const waiting = sign(page, account, 'Blocked at first')
  await shown(page, waiting)
  await press(continueButton(page))
  await expect(frame(page).getByText('Your browser blocked the window.')).toBeVisible()
  await approveInWindow(await opening(page, () => press(frame(page).getByRole('button', { name: 'Try again' }))))
  await isSigned(account, 'Blocked at first', waiting)
})

for (const reports of ['with', 'without'] as const)
  test(`@embedded @engines @hostile an engine ${reports} occlusion reports approves a message in the window, a sign-in in the frame`, async ({
    page,
    visit,
  }) => {
    if (reports === 'without') await withoutOcclusionReports(page)
    const dapp = new URL(await visit({ wallets: [], networks: allChains }))
    const account = await owner(page)
    const waiting = sign(page, account, 'Unseen')
    await shown(page, waiting)
    await expect(frame(page).getByText('worth more than $25')).toBeVisible()
    await expect(frame(page).getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0)
    await approveRequest(page)
    await isSigned(account, 'Unseen', waiting)

    const message = signInMessage({ host: dapp.host, account, chainId: 31337 })
    const signingIn = sign(page, account, message)
    await shown(page, signingIn)
    await expect(continueButton(page)).toHaveCount(0)
    await approveInFrame(page)
    await isSigned(account, message, signingIn)
  })

test('@embedded @engines a trusted origin approves in the frame in every engine', async ({ page, visit }) => {
  await withoutOcclusionReports(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
  const account = await owner(page)
  const waiting = sign(page, account, 'Trusted')
  await shown(page, waiting)
  await expect(continueButton(page)).toHaveCount(0)
  await approveInFrame(page)
  await isSigned(account, 'Trusted', waiting)
})
