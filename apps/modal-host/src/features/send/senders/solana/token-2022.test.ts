/** Token-2022: mints and accounts decide the wallet request. */

import { associatedAccount } from '@postern/chains/solana/program-address'
import { programs } from '@postern/chains/solana/programs'
import {
  accountBytes,
  accountInfo,
  type Extension,
  extensions,
  mintBytes,
} from '@postern/chains/solana/testing/token-2022'
import { feeOf } from '@postern/chains/solana/token-account'
import { parseTransaction } from '@postern/chains/solana/transaction'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../../../testing/test-money'
import { currencyOf, solana } from '../../../testing/test-networks'
import { offerOf } from './compute'
import { preFeeAmount, sender, solanaQuote } from './sender'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const [owner, to, mint, source] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)]
const token = { ...currencyOf(solana, 10n ** 10n), key: mint, address: mint, decimals: 6, balance: 5_000_000n }
const { signal } = new AbortController()
const destination = associatedAccount(to, mint, programs.token2022)
const senderAccount = { mint, owner, amount: 5_000_000n }
const recipientAccount = { mint, owner: to, amount: 0n }

type Setting = {
  readonly mint?: readonly Extension[]
  readonly source?: Uint8Array
  readonly destination?: Uint8Array | null
  readonly epoch?: number
}

function open({ mint: rules = [], epoch = 5, ...accounts }: Setting, changes: { to?: string | null } = {}) {
  const of2022 = (bytes: Uint8Array) => accountInfo(programs.token2022, bytes)
  const accountsByKey = new Map<unknown, unknown>([
    [mint, of2022(mintBytes(rules))],
    [to, accountInfo(programs.system, new Uint8Array())],
  ])
  if (accounts.destination !== null)
    accountsByKey.set(destination, of2022(accounts.destination ?? accountBytes(recipientAccount)))
  const answer = (method: string, params: unknown): unknown => {
    const [first]: readonly unknown[] = Array.isArray(params) ? params : []
    switch (method) {
      case 'getBalance':
        return { value: 10_000_000_000 }
      case 'getMinimumBalanceForRentExemption':
        return (Number(first) + 128) * 6_960
      case 'getLatestBlockhash':
        return { value: { blockhash: keyOf(9), lastValidBlockHeight: 1 } }
      case 'getEpochInfo':
        return { epoch }
      case 'getTokenAccountsByOwner':
        return { value: [{ pubkey: source, account: of2022(accounts.source ?? accountBytes(senderAccount)) }] }
      case 'getMultipleAccounts':
        return { value: (Array.isArray(first) ? first : []).map((one: unknown) => accountsByKey.get(one) ?? null) }
      default:
        throw new Error(`Unexpected request: ${method}`)
    }
  }
  const money = testMoney({
    client: (networkId) => ({
      networkId,
      rpc: { request: async ({ method, params }) => answer(method, params) },
      esplora: { get: async () => null, post: async () => '' },
    }),
  })
  const account = { namespace: 'solana', address: owner, type: 'eoa' } as const
  return sender.prepare({ network: solana, account, token, to, amount: null, ...changes }, money, signal)
}

const levy = extensions.transferFee({ maxFee: 50_000n, basisPoints: 100 })

/** Without the limit of compute units, which comes first. */
async function instructionsOf(opened: Awaited<ReturnType<typeof open>>, amount: bigint) {
  const { params } = await opened.request(amount, 'normal', signal)
  const transaction = typeof params === 'object' && params !== null && 'transaction' in params ? params.transaction : ''
  return parseTransaction(String(transaction)).instructions.slice(1)
}

describe('a transfer fee (7)', () => {
  it('is quoted, and the instruction allows no other amount', async () => {
    const opened = await open({ mint: [levy] })
    expect(opened.quote(1_000_050n, 'normal')).toMatchObject({ withheld: 10_001n, max: 5_000_000n, min: 2n })
    expect(opened.quote(5_000_000n, 'normal').withheld).toBe(50_000n)
    const [transfer] = await instructionsOf(opened, 1_000_050n)
    expect(transfer).toMatchObject({ program: programs.token2022, accounts: [source, mint, destination, owner] })
    expect([...(transfer?.data.subarray(11) ?? [])]).toEqual([0x11, 0x27, 0, 0, 0, 0, 0, 0])
  })

  it('is the fee of the current epoch', async () => {
    const announced = extensions.transferFee(
      { maxFee: 50n, basisPoints: 100 },
      { epoch: 7n, maxFee: 900n, basisPoints: 100 },
    )
    expect((await open({ mint: [announced], epoch: 6 })).quote(1_000_000n, 'normal').withheld).toBe(50n)
    expect((await open({ mint: [announced], epoch: 7 })).quote(1_000_000n, 'normal').withheld).toBe(900n)
  })

  it('is absent if the mint never charges one', async () => {
    const opened = await open({ mint: [extensions.transferFee({ maxFee: 0n, basisPoints: 0 })] })
    expect(opened.quote(1n, 'normal')).not.toHaveProperty('withheld')
    expect((await instructionsOf(opened, 1n))[0]?.data[0]).toBe(12)
  })

  it('never takes all of the minimum amount, but all of anything below', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    const facts = {
      native: 10n ** 10n,
      emptyRent: 890_880n,
      recipient: 'account',
      compute: offerOf('tokens', 0n),
    } as const
    const known = { program: programs.token2022, source, destination, balance: 1n, rent: 0n, obstacle: null }
    fc.assert(
      fc.property(u64, fc.nat(10_000), (maxFee, basisPoints) => {
        const fee = { epoch: 0n, maxFee, basisPoints }
        const tokens = { ...known, refusal: null, canBeTakenBack: false, fee }
        const { min } = solanaQuote({ ...facts, tokens }, null)
        expect(min - feeOf(fee, min) > 0n).toBe(true)
        expect(min === 1n || min - 1n - feeOf(fee, min - 1n) <= 0n).toBe(true)
      }),
    )
  })
})

describe('the amount to send for an exact arrival', () => {
  it('is exact, and never a unit too much', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    fc.assert(
      fc.property(u64, u64, fc.nat(10_000), (received, maxFee, basisPoints) => {
        const fee = { epoch: 0n, maxFee, basisPoints }
        const sent = preFeeAmount(fee, received)
        expect(sent - feeOf(fee, sent)).toBe(received)
        expect(sent === 0n || sent - 1n - feeOf(fee, sent - 1n) < received).toBe(true)
      }),
    )
  })

  it.each<readonly [fee: string, maxFee: bigint, basisPoints: number, received: bigint, sent: bigint]>([
    ['no fee', 5n, 0, 7n, 7n],
    ['1 %', 50_000n, 100, 990_000n, 1_000_000n],
    ['1 %, rounded up', 50_000n, 100, 1n, 2n],
    ['1 %, limited', 50_000n, 100, 10_000_000n, 10_050_000n],
    ['1 %, for nothing', 50_000n, 100, 0n, 0n],
    ['100 %, limited', 1n, 10_000, 1n, 2n],
    ['100 %, limited to nothing', 0n, 10_000, 1n, 1n],
    ['100 %, for nothing', 1n, 10_000, 0n, 0n],
  ])('follows the Token-2022 program: %s', (_fee, maxFee, basisPoints, received, sent) => {
    expect(preFeeAmount({ epoch: 0n, maxFee, basisPoints }, received)).toBe(sent)
  })

  it('is undefined without a transfer fee', async () => {
    expect((await open({ mint: [levy] })).preFeeAmount?.(990_000n)).toBe(1_000_000n)
    expect((await open({})).preFeeAmount).toBeUndefined()
  })
})

describe('a new account (2)', () => {
  it('has the size that its mint requires, whatever the sender’s size', async () => {
    const opened = await open({
      mint: [levy],
      source: accountBytes(senderAccount, [extensions.memo(false)]),
      destination: null,
    })
    expect(opened.quote(100n, 'normal').deposit).toBe((182n + 128n) * 6_960n)
    const [opens, transfer] = await instructionsOf(opened, 100n)
    expect(opens).toMatchObject({ program: programs.associated })
    expect(opens?.accounts).toContain(programs.token2022)
    expect(transfer?.data[0]).toBe(26)
  })
})

describe('transfers that the chain would reject (8)', () => {
  const refused = async (setting: Setting) => {
    const opened = await open(setting)
    const { obstacle = null, refusal } = opened.quote(1n, 'normal')
    if (obstacle !== null || refusal !== null) await expect(opened.request(1n, 'normal', signal)).rejects.toThrow()
    return obstacle ?? refusal
  }

  it.each<[string, Setting]>([
    ['nonTransferable', { mint: [extensions.nonTransferable] }],
    ['transferHook', { mint: [extensions.hook(8)] }],
    ['paused', { mint: [extensions.paused(true)] }],
    ['unreadable', { mint: [{ type: 1, data: [1] }] }],
    ['frozen', { source: accountBytes(senderAccount, [], 2) }],
    ['theirFrozen', { destination: accountBytes(recipientAccount, [], 2) }],
    ['newFrozen', { mint: [extensions.defaultState(2)], destination: null }],
    ['memo', { destination: accountBytes(recipientAccount, [extensions.memo(true)]) }],
    ['confidential', { destination: accountBytes(recipientAccount, [extensions.confidential(false)]) }],
    ['tokenAccount', { destination: accountBytes({ ...recipientAccount, owner: keyOf(8) }) }],
  ])('is refused before anybody is asked: %s', async (kind, setting) => {
    expect(await refused(setting)).toBe(kind)
  })

  it('do not include a token like PYUSD, whose issuer can take it back', async () => {
    const pyusd = { mint: [extensions.delegate(7), extensions.hook(0), extensions.paused(false)] }
    expect(await refused(pyusd)).toBeNull()
    expect((await open(pyusd)).quote(1n, 'normal').canBeTakenBack).toBe(true)
    expect((await open({})).quote(1n, 'normal')).not.toHaveProperty('canBeTakenBack')
    expect(await refused({ mint: [extensions.defaultState(2)] })).toBeNull()
  })
})
