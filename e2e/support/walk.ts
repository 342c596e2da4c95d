/** A user who walks at random through two tabs of one site and one of another, with one embedded wallet. */
import type { BrowserContext, Frame, Locator, Page } from '@playwright/test'
import fc from 'fast-check'
import { type Address, parseEther, toHex } from 'viem'
import * as z from 'zod/mini'
import { bitcoinAddress } from './bitcoin'
import { allChains, dappPage } from './dapp'
import {
  type Accounts,
  accountsOf,
  approvalOf,
  approveInWindow,
  approveRequest,
  continueButton,
  declineRequest,
  newEvmAddress,
  openApprovalWindow,
  signInByEmail,
  walletFrame,
} from './embedded'
import { expect } from './expect'
import { newAddress } from './mailbox'
import { card, inDapp, openConnect, openModal, press, reloadFrame, request, requestIn } from './postern'
import type { Sites } from './sites'
import { test } from './test'
import type { gatewayInWeather } from './weather'

type Place = Awaited<ReturnType<typeof gatewayInWeather>>

const reloads = {
  page: async (page: Page) => {
    await page.reload()
    await page.waitForFunction(() => 'Postern' in window)
  },
  modal: (page: Page) => reloadIfThere(page.frames().find((frame) => frame.url().includes('//modal.postern.'))),
  wallet: (page: Page) => reloadIfThere(walletFrame(page)),
}

/** A page that has just been loaded has none yet. */
async function reloadIfThere(frame: Frame | undefined): Promise<void> {
  if (frame !== undefined) await reloadFrame(frame)
}

const Reload = fc.constantFrom('page', 'modal', 'wallet')

type Site = 'dapp' | 'app'
const perSite = 4

const tab = fc.nat({ max: 2 })
const Step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask'), tab, index: fc.nat({ max: perSite - 1 }) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('approve'), tab }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('approveAndReload'), tab, what: Reload }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('decline'), tab }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reload'), tab, what: Reload }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('replace'), tab, how: fc.constantFrom('Speed up', 'Cancel') }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('block') }) },
)
type Step = typeof Step extends fc.Arbitrary<infer T> ? T : never

/** Twenty steps. The same seed, the same steps. */
export function stepsOf(seed: number): readonly Step[] {
  const [steps = []] = fc.sample(fc.array(Step, { minLength: 20, maxLength: 20 }), { seed, numRuns: 1 })
  return steps
}

/** On the EVM chain, alone or as a batch of one call, or on Bitcoin; amount and recipient are its own. */
type Payment = {
  /** Of the batch. */
  readonly id?: string
  readonly site: Site
  readonly namespace: 'eip155' | 'bip122'
  readonly to: string
  /** As approvals show it. */
  readonly shown: string
}

function paymentAt(index: number): Payment {
  const site = index < perSite ? 'dapp' : 'app'
  const batch = index % 4 === 2 ? { id: `order-${index}` } : {}
  if (index % 2 === 0) return { ...batch, site, namespace: 'eip155', to: newEvmAddress(), shown: `0.010${index + 1}` }
  return { site, namespace: 'bip122', to: bitcoinAddress(40 + index), shown: `0.0000500${index + 1}` }
}

const Heard = z.union([
  z.object({ result: z.union([z.string(), z.object({ txid: z.string() }), z.object({ id: z.string() })]) }),
  z.object({ code: z.number(), message: z.string() }),
])
type Heard = z.infer<typeof Heard>

/** Declined, ended, the account is gone, a batch that was sent before, waits or is unknown, refused by a node, internal. */
const mayBeHeard: ReadonlySet<number> = new Set([4001, 4900, 4901, 5720, -32_002, -32_000, -32_603])

type Tab = {
  readonly page: Page
  readonly site: Site
  /** What the dapp waits for. */
  readonly asked: Map<Payment, Promise<unknown>>
}

const appears = (locator: Locator): Promise<boolean> =>
  expect(locator)
    .toBeVisible({ timeout: 10_000 })
    .then(
      () => true,
      () => false,
    )

/**
 * Signs in on three tabs, and makes the steps. The user wants each payment once: they ask again after a failure, and not
 * once they were told that it may have been made.
 *
 * 1. A payment is made at most once, and never without an approval.
 * 2. Its approval showed its amount.
 * 3. A hash that a dapp got is in a block in the end, unless the user replaced a payment or another site took its nonce.
 * 4. Each request settles, once the user has answered it.
 * 5. In the end, every site can pay.
 */
export async function walk(context: BrowserContext, place: Place, web: Sites, steps: readonly Step[]): Promise<void> {
  const email = newAddress()
  const payments = Array.from({ length: 2 * perSite }, (_, index) => paymentAt(index))
  /** Made, or perhaps made. */
  const over = new Set<Payment>()
  const approved = new Set<Payment>()
  const reported: { readonly payment: Payment; readonly hash: string }[] = []
  const faults: string[] = []
  let hasReplaced = false

  async function open(site: Site): Promise<Tab> {
    const page = await context.newPage()
    const dapp = { host: place.gateway.origin, networks: allChains, wallets: [] }
    await page.goto(web.serve(site, '/', dappPage(dapp)))
    await page.waitForFunction(() => 'Postern' in window)
    return { page, site, asked: new Map() }
  }

  async function signIn({ page }: Tab): Promise<Accounts> {
    await openConnect(page)
    await signInByEmail(page, email)
    return accountsOf(page)
  }

  const first = await open('dapp')
  const accounts = await signIn(first)
  const second = await open('dapp')
  expect(await accountsOf(second.page)).toEqual(accounts)
  const other = await open('app')
  expect(await signIn(other)).toEqual(accounts)
  const tabs = [first, second, other] as const
  await place.chain.setBalance({ address: accounts.eip155, value: parseEther('10') })
  for (const coin of [90_000n, 80_000n, 70_000n]) await place.bitcoin.fund(accounts.bip122, coin)
  await place.bitcoin.mine(1)

  /** What the user may have made at a site, as Activity or an error says. */
  function leave(site: Site): void {
    for (const one of payments) if (one.site === site && approved.has(one)) over.add(one)
  }

  function hear(payment: Payment, heard: Heard): void {
    if ('result' in heard) {
      over.add(payment)
      const { result } = heard
      if (typeof result === 'string') reported.push({ payment, hash: result })
      else if ('txid' in result) reported.push({ payment, hash: result.txid })
      return
    }
    if (!mayBeHeard.has(heard.code)) faults.push(`${payment.shown}: ${heard.code} ${heard.message}`)
    if (heard.code === 5720) over.add(payment)
    if (/replaced|carried out/.test(heard.message)) leave(payment.site)
  }

  function ask({ page, asked }: Tab, payment: Payment): void {
    if (over.has(payment) || asked.has(payment)) return
    const { namespace } = payment
    const { method, params } = requestOf(payment)
    const sent = requestIn(page, namespace, method, params).then(
      (outcome) => {
        asked.delete(payment)
        hear(payment, Heard.parse(outcome))
      },
      // The dapp is loaded again, and knows nothing of it.
      () => asked.delete(payment),
    )
    asked.set(payment, sent)
  }

  function requestOf({ namespace, to, shown, id }: Payment) {
    if (namespace === 'bip122') {
      const params = { recipientAddress: to, amount: String(Math.round(Number(shown) * 1e8)) }
      return { method: 'bip122_sendTransfer', params }
    }
    const call = { to, value: toHex(parseEther(shown)) }
    if (id === undefined) return { method: 'eth_sendTransaction', params: [{ from: accounts.eip155, ...call }] }
    const batch = { version: '2.0.0', from: accounts.eip155, chainId: '0x7a69', atomicRequired: false }
    return { method: 'wallet_sendCalls', params: [{ ...batch, id, calls: [call] }] }
  }

  /** Once the approval says what it is for. */
  async function shownIn({ page, asked }: Tab): Promise<Payment | null> {
    const approval = approvalOf(page)
    const isShown = appears(approval.getByRole('button', { name: 'Decline', exact: true }))
    await Promise.race([isShown, Promise.all(asked.values())])
    if (!(await approval.isVisible())) return null
    await expect(approval.getByText('Reading the request')).toBeHidden()
    const text = (await approval.textContent()) ?? ''
    return [...asked.keys()].find(({ shown }) => text.includes(shown)) ?? null
  }

  /** `then` comes at once after the press. What the user has made meanwhile, or no network prepares, is declined. */
  async function answer(tab: Tab, isWanted: boolean, then?: (page: Page) => Promise<unknown>): Promise<void> {
    const { page, asked } = tab
    if (asked.size === 0) return
    const payment = await shownIn(tab)
    if (!(await approvalOf(page).isVisible())) return
    if (!isWanted || payment === null || over.has(payment) || !(await continueButton(page).isVisible())) {
      await declineRequest(page)
      await expect(approvalOf(page)).toBeHidden()
      return
    }
    approved.add(payment)
    const sent = asked.get(payment)
    if (then === undefined) {
      await approveRequest(page)
      return void (await Promise.race([sent, expect(approvalOf(page)).toBeHidden({ timeout: 60_000 })]))
    }
    const popup = await openApprovalWindow(page)
    await approveInWindow(popup)
    await then(page)
    await popup.close()
  }

  /** From Activity. */
  async function replace({ page, site, asked }: Tab, how: 'Speed up' | 'Cancel'): Promise<void> {
    // An approval is on show, or comes now.
    if (asked.size > 0) return
    await inDapp(page, (postern) => postern.close())
    await expect(card(page)).toBeHidden()
    await openModal(page)
    await press(card(page).getByRole('tab', { name: 'Activity', exact: true }))
    const list = card(page).getByRole('tabpanel')
    await expect(list.locator('[aria-busy="true"]')).toHaveCount(0)
    const button = list.getByRole('button', { name: how, exact: true }).first()
    if (await button.isVisible()) {
      leave(site)
      await press(button)
      if (await appears(continueButton(page))) {
        hasReplaced = true
        await approveRequest(page)
        await expect(approvalOf(page)).toBeHidden({ timeout: 60_000 })
      }
    }
    await inDapp(page, (postern) => postern.close())
    await expect(card(page)).toBeHidden()
  }

  async function block(): Promise<void> {
    await place.block()
    await place.bitcoin.mine(1)
  }

  async function take(step: Step): Promise<void> {
    if (step.kind === 'block') return block()
    const tab = tabs[step.tab] ?? first
    // A user sees one tab at a time.
    await tab.page.bringToFront()
    switch (step.kind) {
      case 'ask': {
        const payment = payments[tab.site === 'dapp' ? step.index : step.index + perSite]
        if (payment !== undefined && tab.asked.size === 0) ask(tab, payment)
        return
      }
      case 'approve':
        return answer(tab, true)
      case 'approveAndReload':
        return answer(tab, true, reloads[step.what])
      case 'decline':
        return answer(tab, false)
      case 'reload':
        return reloads[step.what](tab.page)
      case 'replace':
        return replace(tab, step.how)
    }
  }

  for (const step of steps) await test.step(JSON.stringify(step), () => take(step))

  await place.clearUp()
  await test.step('each request settles', async () => {
    for (const tab of tabs)
      await expect(async () => {
        await tab.page.bringToFront()
        await block()
        while (await approvalOf(tab.page).isVisible()) await answer(tab, false)
        expect([...tab.asked.keys()]).toEqual([])
      }).toPass({ timeout: 90_000 })
  })
  await test.step('every site can pay', async () => {
    for (const tab of [first, other]) await payAtLast(tab)
  })
  expect(faults).toEqual([])
  for (const payment of payments) {
    const times = await made(payment)
    expect(times, `${payment.shown} is made at most once, if approved`).toBeLessThanOrEqual(
      approved.has(payment) ? 1 : 0,
    )
  }
  const isAlone = new Set([...approved].map(({ site }) => site)).size < 2
  for (const { payment, hash } of reported)
    if (!hasReplaced && isAlone) expect(await made(payment), `${hash} is made`).toBe(1)

  /** By the account's own time, what no node knows any more is over after ten minutes. */
  async function payAtLast(tab: Tab): Promise<void> {
    const { page } = tab
    await page.bringToFront()
    const to = newEvmAddress()
    await expect(async () => {
      for (let blocks = 0; blocks < 4; blocks += 1) await block()
      await context.clock.fastForward('10:01')
      const value = toHex(parseEther('0.02'))
      const sent = request(page, 'eth_sendTransaction', [{ from: accounts.eip155, to, value }])
      const isShown = appears(approvalOf(page).getByRole('button', { name: 'Decline', exact: true }))
      if (await Promise.race([isShown, sent.then(() => false)])) await approveRequest(page)
      expect(await sent).toHaveProperty('result')
    }).toPass({ timeout: 120_000 })
    await expect
      .poll(async () => {
        await block()
        return place.chain.getBalance({ address: to })
      })
      .toBe(parseEther('0.02'))
  }

  async function made({ namespace, to, shown }: Payment): Promise<number> {
    if (namespace === 'eip155') {
      const received = await place.chain.getBalance({ address: z.custom<Address>().parse(to) })
      expect(received % parseEther(shown), `${shown} is what was paid`).toBe(0n)
      return Number(received / parseEther(shown))
    }
    const coins = z
      .array(z.object({ value: z.number() }))
      .parse(await (await fetch(`${place.bitcoin.url}/address/${to}/utxo`)).json())
    for (const { value } of coins) expect(value).toBe(Math.round(Number(shown) * 1e8))
    return coins.length
  }
}
