/** One approval connects and signs in if all networks are EVM. */
import { listen, signInEvents } from './support/analytics'
import { bothChains } from './support/dapp'
import {
  approveOnPhone,
  connectByLink,
  copiedLink,
  inWallet,
  pair,
  receivedBy,
  rejectOnPhone,
  waitForSessions,
} from './support/mobile-wallet'
import { addressOf } from './support/money'
import { card, chooseWallet, modal, openConnect, press, status } from './support/postern'
import { askedOf, keptAccounts, signButton, signInModule, untilAsked } from './support/sign-in'
import { expect, test } from './support/test'

function dapp(siwx = 'ready()') {
  const module = signInModule({ options: `{ siwx: ${siwx} }`, networks: bothChains, projectId: 'mobile' })
  return { networks: bothChains, projectId: 'mobile', module, wallets: [] }
}
/** Title of the wallet's prompt. */
const both = 'Connect and sign in'

test('@main @siwx @walletconnect a phone wallet connects and signs in with one approval', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  test.slow()
  const wallet = await phone()
  await inWallet(wallet, (owner) => owner.setSignsIn(true))
  const heard = listen(page)
  await visit(dapp())
  await connectByLink(page, wallet, both)
  await expect(card(page)).toBeHidden()
  // No click to sign.
  await expect.poll(() => signInEvents(heard)).toEqual(['SIWX_AUTH_SUCCESS'])
  const account = addressOf(lane.account)
  await expect
    .poll(async () => (await keptAccounts(page)).sort())
    .toEqual([`eip155:31337:${account}`, `eip155:31338:${account}`])
  await expect.poll(() => status(page)).toBe('connected')
  // No further requests.
  expect(await receivedBy(wallet)).toEqual([])
})

test('@siwx @walletconnect declining on the phone is reported; a retry connects first, then signs in', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  test.slow()
  const wallet = await phone()
  await inWallet(wallet, (owner) => owner.setSignsIn(true))
  await visit(dapp())
  await openConnect(page)
  await chooseWallet(page, 'WalletConnect')
  await pair(wallet, await copiedLink(page))
  await rejectOnPhone(wallet, both)
  await expect(modal(page).getByText('Request declined')).toBeVisible()
  await expect.poll(() => status(page)).toBe('disconnected')
  expect(await askedOf(page, 'setSessions')).toEqual([])

  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await pair(wallet, await copiedLink(page))
  await approveOnPhone(wallet, 'Connect to this site')
  await untilAsked(page)
  await press(signButton(page))
  await approveOnPhone(wallet, 'Sign a message')
  await expect(card(page)).toBeHidden()
  await expect.poll(() => keptAccounts(page)).toEqual([`eip155:31337:${addressOf(lane.account)}`])
  await expect.poll(() => status(page)).toBe('connected')
})

test('@siwx @walletconnect a page that rejects the signature disconnects and shows the reason; a retry works', async ({
  page,
  visit,
  phone,
}) => {
  test.slow()
  const wallet = await phone()
  await inWallet(wallet, (owner) => owner.setSignsIn(true))
  const heard = listen(page)
  await visit(dapp(`{ ...ready(), setSessions: async () => { throw new Error('The guest list is closed') } }`))
  await connectByLink(page, wallet, both)
  await expect(modal(page).getByText('The guest list is closed')).toBeVisible()
  await expect.poll(() => status(page)).toBe('disconnected')
  expect(await keptAccounts(page)).toEqual([])
  await expect.poll(() => signInEvents(heard)).toEqual(['SIWX_AUTH_ERROR'])
  await waitForSessions(wallet, 0)

  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await pair(wallet, await copiedLink(page))
  await approveOnPhone(wallet, 'Connect to this site')
  await untilAsked(page)
  await expect.poll(() => status(page)).toBe('connected')
})
