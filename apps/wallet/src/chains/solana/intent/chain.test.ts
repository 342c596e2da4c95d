import type { ChainClient } from '@postern/chains/chain-client'
import { associatedAccount } from '@postern/chains/solana/program-address'
import { accountBytes, type Extension, extensions, mintBytes } from '@postern/chains/solana/testing/token-2022'
import { token2022Program } from '@postern/chains/solana/token-account'
import { base58, base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import type { IntentStep } from '../../../intent/intent'
import { isAssociated } from './associated'
import { nameTokenAccounts, type OwnerFacts } from './chain'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const [recipient, mint, destination] = [keyOf(2), keyOf(3), keyOf(5)]
const { signal } = new AbortController()

function clientOf(rules: readonly Extension[], program: string = token2022Program): ChainClient {
  const account = (bytes: Uint8Array) => ({ lamports: 1, data: [base64.encode(bytes), 'base64'], owner: program })
  const accountsByKey = new Map<unknown, unknown>([
    [mint, account(mintBytes(rules))],
    [destination, account(accountBytes({ mint, owner: recipient, amount: 0n }, [extensions.fixedOwner]))],
  ])
  return {
    networkId: 'solana:PosternDevnet1111111111111111111',
    rpc: {
      async request({ method, params }) {
        if (method === 'getEpochInfo') return { epoch: 6 }
        const [requests]: readonly unknown[] = Array.isArray(params) ? params : []
        return {
          value: (Array.isArray(requests) ? requests : []).map((one: unknown) => accountsByKey.get(one) ?? null),
        }
      },
    },
    esplora: { get: async () => null, post: async () => '' },
  }
}

const amount = { raw: '1000050', token: mint, decimals: 6 }
const transfer: IntentStep = { kind: 'transfer', to: destination, amount }
const facts: OwnerFacts = { owner: keyOf(1), isFamiliar: () => false, isListed: () => false }
const named = (rules: readonly Extension[], step = transfer, program?: string) =>
  nameTokenAccounts(clientOf(rules, program), [step], signal, [], facts)

describe('nameTokenAccounts', () => {
  it('names the owner and the mint, also for a mint with the size of an account', async () => {
    const words = [extensions.pointer(mint), extensions.metadata(mint, 'Levy', 'LEVY')]
    expect(await named(words)).toEqual([{ kind: 'transfer', to: recipient, amount: { ...amount, symbol: 'LEVY' } }])
  })

  it('adds the mint’s fee of this epoch if the instruction does not state it', async () => {
    const levy = extensions.transferFee(
      { maxFee: 5n, basisPoints: 1 },
      { epoch: 6n, maxFee: 50_000n, basisPoints: 100 },
    )
    expect(await named([levy])).toMatchObject([{ withheld: { raw: '10001', token: mint, decimals: 6 } }])
    const said: IntentStep = { ...transfer, withheld: { raw: '7', token: mint, decimals: 6 } }
    expect(await named([levy], said)).toMatchObject([{ withheld: { raw: '7' } }])
  })

  it('believes in a familiar owner only if the address of the account proves it', async () => {
    const proven = associatedAccount(recipient, mint, token2022Program)
    expect(isAssociated(proven, recipient, mint, token2022Program)).toBe(true)
    expect(isAssociated(destination, recipient, mint, token2022Program)).toBe(false)
    const of = async (isFamiliar: (address: string) => boolean) =>
      nameTokenAccounts(clientOf([]), [transfer], signal, [], { ...facts, isFamiliar })
    expect(await of((address) => address === recipient)).toMatchObject([{ to: destination }])
    expect(await of(() => false)).toMatchObject([{ to: recipient }])
  })

  it('ignores accounts of other programs', async () => {
    expect(await named([extensions.pointer(mint), extensions.metadata(mint, 'A', 'B')], transfer, keyOf(8))).toEqual([
      transfer,
    ])
  })
})
