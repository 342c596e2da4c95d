/** One approval connects and signs in if all networks are EVM. */
import { listen, signInEvents } from './support/analytics'
import { bothChains } from './support/dapp'
import { connectByLink, inWallet, receivedBy } from './support/mobile-wallet'
import { addressOf } from './support/money'
import { card, status } from './support/postern'
import { keptAccounts, signInModule } from './support/sign-in'
import { expect, test } from './support/test'

const onPhone = { networks: bothChains, projectId: 'mobile', wallets: [] }
const module = signInModule({ options: '{ siwx: ready() }', networks: bothChains, projectId: 'mobile' })

/** Title of the wallet's prompt. */
const both = 'Connect and sign in'

test('@main @siwx @walletconnect a phone wallet connects and signs in with one approval (spec §4)', async ({
  page,
  visit,
  phone,
  lane,
}) => {
  const wallet = await phone()
  await inWallet(wallet, (owner) => owner.setSignsIn(true))
  const heard = listen(page)
  await visit({ ...onPhone, module })
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
