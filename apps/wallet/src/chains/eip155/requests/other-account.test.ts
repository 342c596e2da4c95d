/** A batch that one account's node refused, and that the dapp sends from the visitor's other account. */
import { manualClock } from '@postern/base/testing/manual-clock'
import { type Hex, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { memoryNotes } from '../../notes'
import { safeAddress } from '../account/safe'
import { createEip155Chain } from '../chain'
import { testWallet } from '../testing/wallet'
import { weatherBundler } from '../testing/weather-bundler'
import { weatherNode } from '../testing/weather-node'

const friend = '0x00000000000000000000000000000000000F4153'
const pending = { code: 'REQUEST_PENDING' }

async function twoAccounts() {
  const clock = manualClock(1_800_000_000_000)
  const page = { smartAccounts: [{ chainId: 31_337, paymaster: false }] }
  const account = await testWallet('both accounts', fetch, { accountType: 'smartAccount', page })
  const plain: Hex = `0x${account.context.addresses.eip155.slice(2)}`
  const node = weatherNode(plain)
  const bundler = weatherBundler(() => BigInt(Math.floor(clock.now() / 1_000)))
  const network: typeof fetch = (input, init) => {
    const isOfNode = /eth_sendRaw|eth_getTransaction|eth_blockNumber|eth_estimateGas/.test(String(init?.body))
    return isOfNode ? node.fetch(input, init) : bundler.fetch(input, init)
  }
  const chain = createEip155Chain(memoryNotes(), clock)
  const context = { ...account.context, fetch: network }
  const sendFrom = (from: Hex) => async (more: object) => {
    const calls = [{ to: friend, value: numberToHex(1) }]
    const batch = { version: '2.0.0', from, chainId: '0x7a69', atomicRequired: false, calls, ...more }
    const { subject } = await chain.prepare('wallet_sendCalls', [batch], context)
    return chain.execute('wallet_sendCalls', subject, context)
  }
  const refuse = { plain: () => node.decide('refused'), smart: () => bundler.decide('refused') }
  return { clock, refuse, send: { plain: sendFrom(plain), smart: sendFrom(safeAddress(plain)) } }
}

it.each([
  ['plain', 'smart', {}],
  ['smart', 'plain', {}],
  ['plain', 'smart', { id: 'order-7' }],
  ['smart', 'plain', { id: 'order-7' }],
] as const)(
  'a batch that the %s account’s node refused waits ten minutes in the %s account (%o)',
  async (one, other, more) => {
    const { clock, refuse, send } = await twoAccounts()
    refuse[one]()
    await expect(send[one](more)).rejects.toThrow(/txpool is full|AA24/)
    await expect(send[other](more)).rejects.toMatchObject(pending)
    await send[other]({ calls: [{ to: friend, value: '0x2' }] })
    clock.advance(600_001)
    await expect(send[other](more)).resolves.toHaveProperty('id')
  },
)
