/** Over WalletConnect, one approval connects and signs in where the dapp's networks are all EVM. */
import { devnetAccounts } from '@postern/devnet'
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
import { card, chooseWallet, modal, openConnect, press, status } from './support/postern'
import { askedOf, keptAccounts, signButton, signInModule, untilAsked } from './support/sign-in'
import { expect, test } from './support/test'

/** A page of EVM networks with this plugin. */
function dapp(siwx = 'ready()') {
  const module = signInModule({ options: `{ siwx: ${siwx} }`, networks: bothChains, projectId: 'mobile' })
  return { networks: bothChains, projectId: 'mobile', module, wallets: [] }
}
/** The question of a wallet that does both at once. */
const both = 'Connect and sign in'

test('@siwx @walletconnect a wallet on a telephone connects and signs in by one approval', async ({
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
  // Nobody clicked to sign.
  await expect.poll(() => signInEvents(heard)).toEqual(['SIWX_AUTH_SUCCESS'])
  const account = devnetAccounts[lane.account]?.address
  expect((await keptAccounts(page)).sort()).toEqual([`eip155:31337:${account}`, `eip155:31338:${account}`])
  await expect.poll(() => status(page)).toBe('connected')
  // Nothing was asked of it afterwards.
  expect(await receivedBy(wallet)).toEqual([])
})

test('@siwx @walletconnect a no on the telephone is said; the next try connects, and signs in after that', async ({
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
  expect(await status(page)).toBe('disconnected')
  expect(await askedOf(page, 'setSessions')).toEqual([])

  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await pair(wallet, await copiedLink(page))
  await approveOnPhone(wallet, 'Connect to this site')
  await untilAsked(page)
  await press(signButton(page))
  await approveOnPhone(wallet, 'Sign a message')
  await expect(card(page)).toBeHidden()
  expect(await keptAccounts(page)).toEqual([`eip155:31337:${devnetAccounts[lane.account]?.address}`])
  expect(await status(page)).toBe('connected')
})

test('@siwx @walletconnect a page that does not take what was signed disconnects, and says why; the next try works', async ({
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
  expect(await status(page)).toBe('disconnected')
  expect(await keptAccounts(page)).toEqual([])
  await expect.poll(() => signInEvents(heard)).toEqual(['SIWX_AUTH_ERROR'])
  await waitForSessions(wallet, 0)

  await press(modal(page).getByRole('button', { name: 'Try again' }))
  await pair(wallet, await copiedLink(page))
  await approveOnPhone(wallet, 'Connect to this site')
  await untilAsked(page)
  expect(await status(page)).toBe('connected')
})
