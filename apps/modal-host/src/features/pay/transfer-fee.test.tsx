// @vitest-environment happy-dom

import { programs } from '@postern/chains/solana/programs'
import { accountBytes, accountInfo, extensions, mintBytes } from '@postern/chains/solana/testing/token-2022'
import { parseTransaction } from '@postern/chains/solana/transaction'
import { base58 } from '@scure/base'
import { expect, it, vi } from 'vitest'
import { arrival, button, mount, press, text } from '../../boot/testing/mount-app'
import type { MoneyHost } from '../../snapshot/money'
import { testMoney } from '../testing/test-money'
import { solana } from '../testing/test-networks'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const [owner, recipient, mint, source] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)]

function answer(method: string, params: unknown): unknown {
  const [first]: readonly unknown[] = Array.isArray(params) ? params : []
  const of2022 = (bytes: Uint8Array) => accountInfo(programs.token2022, bytes)
  const levy = extensions.transferFee({ maxFee: 50_000n, basisPoints: 100 })
  const accounts = new Map<unknown, unknown>([
    [mint, of2022(mintBytes([levy]))],
    [recipient, accountInfo(programs.system, new Uint8Array())],
  ])
  switch (method) {
    case 'getAccountInfo':
      return { value: { data: { parsed: { type: 'mint', info: { decimals: 6 } } } } }
    case 'getBalance':
      return { value: 10_000_000_000 }
    case 'getMinimumBalanceForRentExemption':
      return (Number(first) + 128) * 6_960
    case 'getLatestBlockhash':
      return { value: { blockhash: keyOf(9), lastValidBlockHeight: 1 } }
    case 'getTokenAccountsByOwner':
      return { value: [{ pubkey: source, account: of2022(accountBytes({ mint, owner, amount: 5_000_000n })) }] }
    case 'getMultipleAccounts':
      return { value: (Array.isArray(first) ? first : []).map((one: unknown) => accounts.get(one) ?? null) }
    default:
      throw new Error(`Unexpected request: ${method}`)
  }
}

const client: MoneyHost['client'] = (networkId) => ({
  networkId,
  rpc: { request: async ({ method, params }) => answer(method, params) },
  esplora: { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) },
})

async function pay(amount: string) {
  const transact = vi.fn<MoneyHost['transact']>(() => 't')
  const app = await mount(
    {
      namespaces: ['solana'],
      networks: [solana],
      activeNetworkId: solana.caipNetworkId,
      connections: {
        solana: {
          status: 'connected',
          connector: { id: 'lantern', name: 'Lantern', type: 'ANNOUNCED' },
          accounts: [{ namespace: 'solana', address: owner, type: 'eoa' }],
          networkId: solana.caipNetworkId,
        },
      },
      payment: { networkId: solana.caipNetworkId, amount, token: mint, recipient },
    },
    testMoney({ client, transact }),
  )
  await app.open('Pay')
  return { transact }
}

it('adds the fee to what leaves, shows both, and asks the wallet for that', async () => {
  const { transact } = await pay('0.99')
  await arrival(() => expect(text()).toMatch(/−\u202F1\u00A0/))
  expect(text()).toMatch(/0\.01\u00A0.*0\.99\u00A0/)
  await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBeNull())
  await press('Pay')
  await arrival(() => expect(transact).toHaveBeenCalledTimes(1))
  const [requests] = transact.mock.calls[0] ?? []
  expect(requests?.purpose).toMatchObject({ kind: 'pay', amount: '1' })
  const transaction = String(Reflect.get(Object(requests?.params), 'transaction'))
  const transfer = parseTransaction(transaction).instructions.at(-1)
  const data = transfer?.data ?? new Uint8Array()
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  // TransferCheckedWithFee: amount, decimals, fee.
  expect([view.getBigUint64(2, true), view.getBigUint64(11, true)]).toEqual([1_000_000n, 10_000n])
})

it('exceeds a balance that only covers the requested amount', async () => {
  const { transact } = await pay('5')
  await arrival(() => expect(text()).toMatch(/−\u202F5\.05\u00A0/))
  await arrival(() => expect(button('Pay').getAttribute('aria-disabled')).toBe('true'))
  expect(transact).not.toHaveBeenCalled()
})
