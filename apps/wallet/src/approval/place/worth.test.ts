import type { ApprovalSubject, CaipNetworkId } from '@postern/protocol'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeBudget } from '../../chains/solana/intent/accounts'
import type { Amount, Intent, IntentStep, Warning } from '../../intent/intent'
import { dollarsOf, type Loss, lossOf } from './worth'

const recipient = '0x2222222222222222222222222222222222222222'
const ether = (raw: bigint): Amount => ({ raw: `${raw}`, decimals: 18, symbol: 'ETH' })
const oneEther = ether(10n ** 18n)
const token: Amount = { raw: '1', decimals: 6, symbol: 'USDC', token: recipient }
const gas = { amount: ether(10n ** 16n), sponsored: false }
const send = (amount: Amount): IntentStep => ({ kind: 'transfer', to: recipient, amount })
const signIn: IntentStep = { kind: 'signIn', domain: 'app.example', account: '0x11', fields: [] }
const message: IntentStep = { kind: 'message', text: 'Hello', isText: true }
const call: IntentStep = { kind: 'call', contract: recipient, fields: [], value: ether(0n) }

const intent = (steps: readonly IntentStep[], fee: Intent['fee'] = gas, warnings: readonly Warning[] = []): Intent => ({
  steps,
  warnings,
  fee,
  changes: { kind: 'unknown' },
  raw: [],
})

const fees = { gas: '1' }
const operation = { fees, deploys: false, sponsored: false, operation: {}, hash: '0x' } as const
const subjects = {
  message: { kind: 'eip155.message', address: recipient, account: 'eoa', message: '0x68' },
  transaction: {
    kind: 'eip155.transaction',
    from: recipient,
    nonce: '0',
    unsigned: '0x02',
    fees,
    call: { to: recipient, value: '1', data: '0x' },
  },
  transactions: { kind: 'eip155.transactions', from: recipient, transactions: [] },
  userOperation: { kind: 'eip155.userOperation', from: recipient, calls: [], ...operation },
  permissions: {
    kind: 'eip155.permissions',
    action: 'grant',
    from: recipient,
    permissions: [],
    calls: [],
    fees,
    operation: {},
    hash: '0x',
  },
  solana: { kind: 'solana.transactions', address: 'owner', transactions: [], sends: true },
  psbt: { kind: 'bip122.psbt', address: 'owner', psbt: '', inputs: [], sends: true },
} satisfies Readonly<Record<string, ApprovalSubject>>

const of = (given: Intent, networkId: CaipNetworkId = 'eip155:1', subject: ApprovalSubject = subjects.transaction) =>
  lossOf({ subject, networkId }, given)
const finney = (loss: Loss | null) => (loss === null ? null : loss.native / 10n ** 15n)

describe('the replacement of a waiting transaction', () => {
  const { call } = subjects.transaction
  const old = { gas: '21000', maxFeePerGas: '100' }
  const replacing = (kind: 'speedUp' | 'cancel', maxFeePerGas: string, isFollowed = true) => ({
    ...subjects.transaction,
    fees: { gas: '21000', maxFeePerGas },
    replaces: { kind, hash: '0x01', newest: '0x01', isFollowed, call, fees: old },
  })

  it('takes the added fee if it is a speed-up, whatever the call is', () => {
    const swap = intent([{ kind: 'call', contract: recipient, fields: [], value: oneEther }])
    expect(of(swap, 'eip155:1', replacing('speedUp', '150'))).toEqual({ native: 21_000n * 50n, dollars: 0 })
    expect(of(swap, 'eip155:1', replacing('speedUp', '90'))).toEqual({ native: 0n, dollars: 0 })
  })

  it('takes all of a speed-up if the caller has no hash of the first one', () => {
    const speedUp = replacing('speedUp', '150', false)
    const payment = intent([send(oneEther)], gas, [{ kind: 'speedUp' }])
    expect(finney(of(payment, 'eip155:1', speedUp))).toBe(1_010n)
    const swap = intent([{ kind: 'call', contract: recipient, fields: [], value: oneEther }])
    expect(of(swap, 'eip155:1', speedUp)).toBeNull()
    expect(of(intent([]), 'eip155:1', speedUp)).toBeNull()
  })

  it('takes its fee if it is a cancellation', () => {
    const cancel = intent([{ kind: 'cancel', cancelled: [] }], gas, [{ kind: 'cancel' }])
    expect(of(cancel, 'eip155:1', replacing('cancel', '150'))).toEqual({ native: 10n ** 16n, dollars: 0 })
  })

  it('of a user operation takes what the account itself pays in fees beyond the earlier one', () => {
    const operationOf = (sponsored: boolean, paymaster?: string): ApprovalSubject => ({
      ...subjects.userOperation,
      calls: [call],
      fees: { gas: '21000', maxFeePerGas: '150' },
      sponsored,
      replaces: {
        ...{ kind: 'speedUp', hash: '0x01', newest: '0x01', isFollowed: true, calls: [call], fees: old },
        ...(paymaster !== undefined && { paymaster }),
      },
    })
    const swap = intent([{ kind: 'call', contract: recipient, fields: [], value: oneEther }])
    const added = (subject: ApprovalSubject) => of(swap, 'eip155:1', subject)?.native
    expect(added(operationOf(false))).toBe(21_000n * 50n)
    expect(added(operationOf(true, recipient))).toBe(0n)
    expect(added(operationOf(false, recipient)), 'all of it').toBe(21_000n * 150n)
    expect(added(operationOf(true))).toBe(0n)
  })

  describe('on Bitcoin', () => {
    const replaces = { hash: '11'.repeat(32), newest: '11'.repeat(32), psbt: '' }
    const replacement = (kind: 'speedUp' | 'cancel') => ({ ...subjects.psbt, replaces: { ...replaces, kind } })
    const fee = { amount: { raw: '1000' }, sponsored: false }
    const outputs = { kind: 'outputs', outputs: [{ to: recipient, amount: { raw: '90000' }, own: false }] } as const
    const lossOn = (given: Intent, kind: 'speedUp' | 'cancel') =>
      of(given, 'bip122:000000000019d6689c085ae165831e93', replacement(kind))

    it('takes all of a speed-up, or the fee of a cancellation', () => {
      const speedUp = intent([outputs], fee, [{ kind: 'speedUp' }])
      expect(lossOn(speedUp, 'speedUp')).toEqual({ native: 91_000n, dollars: 0 })
      const cancel = intent([{ kind: 'cancel', cancelled: [outputs] }], fee, [{ kind: 'cancel' }])
      expect(lossOn(cancel, 'cancel')).toEqual({ native: 1_000n, dollars: 0 })
    })

    it('is unknown without a known fee, and if a coin is not proven', () => {
      expect(lossOn(intent([outputs], null, []), 'speedUp')).toBeNull()
      expect(lossOn(intent([{ kind: 'cancel', cancelled: [outputs] }], null, []), 'cancel')).toBeNull()
      expect(lossOn(intent([outputs], fee, [{ kind: 'unprovenInput' }]), 'speedUp')).toBeNull()
    })

    it('takes what it pays to others, if it does so although it is called a cancellation', () => {
      expect(lossOn(intent([outputs], fee, [{ kind: 'cancel' }]), 'cancel')).toEqual({ native: 91_000n, dollars: 0 })
    })
  })
})

describe('what a request can take', () => {
  it.each<[string, Intent, bigint | null]>([
    ['a transfer, with its fee', intent([send(oneEther)]), 1010n],
    ['two transfers', intent([send(oneEther), send(oneEther)]), 2010n],
    ['a transfer whose fee is sponsored', intent([send(oneEther)], { ...gas, sponsored: true }), 1000n],
    [
      'nothing but a dear fee',
      intent([send(ether(0n))], { amount: ether(30n * 10n ** 18n), sponsored: false }),
      30_000n,
    ],
    ['the first transfer of a smart account', intent([{ kind: 'deploy' }, send(oneEther)]), 1010n],
    ['a sign-in message', intent([signIn], null), 0n],
    ['who the user is', intent([{ kind: 'user', provider: 'google' }], null), 0n],
    [
      'outputs to others, and the fee',
      intent([
        {
          kind: 'outputs',
          outputs: [
            { to: 'a', amount: oneEther, own: false },
            { to: 'b', amount: oneEther, own: true },
          ],
        },
      ]),
      1010n,
    ],
    ['outputs without a known fee', intent([{ kind: 'outputs', outputs: [] }], null), null],
    ['a token', intent([send(token)]), null],
    ['a collectible', intent([send({ ...token, tokenId: '7' })]), null],
    ['a transfer and a token', intent([send(oneEther), send(token)]), null],
    ['an approval', intent([{ kind: 'approve', spender: recipient, amount: token }]), null],
    ['an approval of nothing', intent([{ kind: 'approve', spender: recipient, amount: { ...token, raw: '0' } }]), null],
    ['an approval of all', intent([{ kind: 'approveAll', spender: recipient, token: recipient, granted: true }]), null],
    ['a permit', intent([{ kind: 'permit', spender: recipient, amount: token }], null), null],
    [
      'a swap of the own currency',
      intent([{ kind: 'swap', pay: oneEther, receiveAtLeast: token, recipient, contract: recipient }]),
      null,
    ],
    ['a call without value', intent([call]), null],
    ['a new contract', intent([{ kind: 'create', bytes: 1, value: ether(0n) }]), null],
    ['an instruction', intent([{ kind: 'instruction', program: 'p', fields: [] }]), null],
    [
      'the compute budget of a transfer',
      intent([{ kind: 'instruction', program: computeBudget, fields: [] }, send(oneEther)]),
      1010n,
    ],
    ['a message', intent([message], null), null],
    ['a sign-in message and something else', intent([signIn, message], null), null],
    ['what is not read at all', intent([], null), null],
    ['typed data', intent([{ kind: 'typedData', domain: [], primaryType: 'Mail', fields: [] }], null), null],
    ['an order', intent([{ kind: 'order', gives: [oneEther], gets: [], contract: recipient }], null), null],
    ['all that an account holds', intent([send({ ...oneEther, everything: true })]), null],
    ['an unknown fee', { ...intent([send(oneEther)]), fee: 'unknown' as const }, null],
    ['a permission', intent([{ kind: 'permission', action: 'grant', type: 't', fields: [], amount: oneEther }]), null],
  ])('1. 3. 4. of %s', (_, given, expected) => {
    expect(finney(of(given))).toBe(expected)
  })

  it.each<[Warning, boolean]>([
    [{ kind: 'highFee' }, true],
    [{ kind: 'firstTimeRecipient', recipient }, true],
    [{ kind: 'wouldFail' }, true],
    [{ kind: 'givesControl', to: recipient }, false],
    [{ kind: 'hiddenApproval', spender: recipient }, false],
    [{ kind: 'unusualSighash' }, false],
    [{ kind: 'unprovenInput' }, false],
    [{ kind: 'neverExpires' }, false],
    [{ kind: 'notDecoded' }, false],
    [{ kind: 'unknownFee' }, false],
    [{ kind: 'unknownRecipient', recipient: 'entry 1 of lookup table x' }, false],
    [{ kind: 'anyoneCanSpend', recipient }, false],
    [{ kind: 'lockedUntil', time: 1 }, false],
    [{ kind: 'coversBalance', spender: recipient }, false],
  ])('4. with the warning %o: known %s', (warning, isKnown) => {
    expect(of(intent([send(oneEther)], gas, [warning])) !== null).toBe(isKnown)
  })

  it.each<Warning>([
    { kind: 'domainMismatch', domain: 'bank.example', origin: 'https://app.example' },
    { kind: 'otherAccount', named: '0x1', signer: '0x2' },
    { kind: 'otherUri', uri: 'https://bank.example', origin: 'https://app.example' },
    { kind: 'signInGrants' },
  ])('4. a sign-in with the warning %o is unknown', (warning) => {
    expect(of(intent([signIn], null, [warning]), 'eip155:1', subjects.message)).toBeNull()
  })

  it('3. is never less with another transfer', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(ether)
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), amount, (amounts, more) => {
        const [before, after] = [amounts, [...amounts, more]].map((all) => of(intent(all.map(send))))
        expect((after?.native ?? -1n) >= (before?.native ?? 0n)).toBe(true)
      }),
    )
  })

  describe('3. of dollar tokens', () => {
    const dollars = (networkId: CaipNetworkId, amount: Amount, subject: ApprovalSubject = subjects.transaction) =>
      of(intent([send(amount)], null), networkId, subject)?.dollars ?? null

    it.each(
      Object.entries(dollarTokens).flatMap(([id, tokens]) =>
        tokens.map(({ symbol, address, decimals }) => ({ id, symbol, address, decimals })),
      ),
    )('$symbol on $id', ({ id, address, decimals }) => {
      const networkId: CaipNetworkId = id.startsWith('solana:') ? `solana:${id.slice(7)}` : `eip155:${id.slice(7)}`
      const subject = id.startsWith('solana:') ? subjects.solana : subjects.transaction
      const amount = { raw: `${25n * 10n ** BigInt(decimals)}`, token: address }
      expect(dollars(networkId, amount, subject)).toBe(25)
    })

    const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    it.each<[string, CaipNetworkId, Amount, number | null]>([
      ['in any letter case', 'eip155:1', { raw: '1000000', token: usdc.toLowerCase() }, 1],
      ['whatever decimals it claims', 'eip155:1', { raw: '1000000', token: usdc, decimals: 18 }, 1],
      ['not on another network', 'eip155:10', { raw: '1000000', token: usdc }, null],
      ['not without an end', 'eip155:1', { raw: `${2n ** 256n - 1n}`, token: usdc, unlimited: true }, null],
      ['not if it may be an item', 'eip155:1', { raw: '1', token: usdc, maybeItem: true }, null],
      [
        'on a test network of Solana, whose signatures do not name it',
        'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
        { raw: '1000000', token: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
        1,
      ],
    ])('%s', (_, networkId, amount, expected) => {
      expect(dollars(networkId, amount, subjects.solana)).toBe(expected)
    })

    it('together with the network’s own coin', () => {
      expect(of(intent([send({ raw: '3000000', token: usdc }), send(oneEther)]))).toEqual({
        native: 1_010n * 10n ** 15n,
        dollars: 3,
      })
    })
  })

  describe('2. on a test network', () => {
    const sepolia = 'eip155:11155111'
    const typed = (
      domain: object,
      types: readonly (readonly [string, string])[],
      account: 'eoa' | 'smartAccount' = 'eoa',
    ) =>
      ({
        kind: 'eip155.typedData',
        address: recipient,
        account,
        json: JSON.stringify({
          types: { EIP712Domain: types.map(([name, type]) => ({ name, type })), Mail: [] },
          primaryType: 'Mail',
          domain,
          message: {},
        }),
      }) as const
    const chain = ['chainId', 'uint256'] as const
    const contract = ['verifyingContract', 'address'] as const
    const domain = { chainId: 11155111, verifyingContract: recipient }
    const zero = `0x${'0'.repeat(40)}`

    it.each<[string, CaipNetworkId, ApprovalSubject, boolean]>([
      ['a transaction', sepolia, subjects.transaction, true],
      ['transactions', sepolia, subjects.transactions, true],
      ['a user operation', sepolia, subjects.userOperation, true],
      ['a permission', sepolia, subjects.permissions, false],
      ['a message', sepolia, subjects.message, false],
      ['a transaction on a main network', 'eip155:1', subjects.transaction, false],
      ['a transaction on a network that the table does not have', 'eip155:31337', subjects.transaction, false],
      ['a Solana transaction', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', subjects.solana, false],
      ['a PSBT', 'bip122:000000000933ea01ad0ee984209779ba', subjects.psbt, false],
      ['typed data for a contract', sepolia, typed(domain, [chain, contract]), true],
      [
        'typed data, its chain id in hexadecimal',
        sepolia,
        typed({ ...domain, chainId: '0xaa36a7' }, [chain, contract]),
        true,
      ],
      ['typed data for a main network', sepolia, typed({ ...domain, chainId: 1 }, [chain, contract]), false],
      ['typed data whose chain id is not signed', sepolia, typed(domain, [contract]), false],
      ['typed data whose chain id is signed as text', sepolia, typed(domain, [['chainId', 'string'], contract]), false],
      ['typed data without a chain id', sepolia, typed({ verifyingContract: recipient }, [contract]), false],
      ['typed data without a contract', sepolia, typed({ chainId: 11155111 }, [chain]), false],
      ['typed data whose contract is not signed', sepolia, typed(domain, [chain]), false],
      ['typed data for no contract', sepolia, typed({ ...domain, verifyingContract: zero }, [chain, contract]), false],
      ['typed data that cannot be read', sepolia, { ...typed(domain, [chain, contract]), json: '{' }, false],
    ])('%s', (_, networkId, subject, isWorthless) => {
      expect(of(intent([call]), networkId, subject)).toEqual(isWorthless ? { native: 0n, dollars: 0 } : null)
    })
  })
})

describe('in US dollars', () => {
  function gateway(answer: () => Response | Promise<Response>) {
    const asked: { readonly url: string; readonly body: unknown }[] = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      asked.push({ url: String(url), body: JSON.parse(String(init?.body)) })
      return answer()
    }
    return { asked, fetch }
  }
  const address = 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
  const priced = (price: number, of = address) =>
    Response.json({ fungibles: [{ address: of, name: 'Ether', symbol: 'ETH', iconUrl: '', price }] })
  const ask = (
    loss: Loss | null,
    fetch: typeof globalThis.fetch,
    { limitUsd = 1_000_000, networkId = 'eip155:1' as CaipNetworkId } = {},
  ) =>
    dollarsOf(loss, networkId, limitUsd, {
      projectId: 'demo',
      baseUrl: 'https://wallet.example',
      fetch,
      signal: new AbortController().signal,
    })
  const coin = (whole: number, decimals = 18): Loss => ({ native: BigInt(whole) * 10n ** BigInt(decimals), dollars: 0 })

  it('1. multiplies with the gateway’s price if it is higher than the floor', async () => {
    const { asked, fetch } = gateway(() => priced(50_000))
    expect(await ask({ ...coin(1), dollars: 7 }, fetch)).toBeCloseTo(50_007)
    expect(asked).toEqual([
      {
        url: 'https://wallet.example/v1/fungible/price?projectId=demo',
        body: { currency: 'usd', addresses: [address], projectId: 'demo' },
      },
    ])
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['has a lower price', () => priced(0.01)],
    ['has no price', () => Response.json({ fungibles: [] })],
    ['has the price of something else', () => priced(90_000, `eip155:1:${recipient}`)],
    ['answers nonsense', () => Response.json({ fungibles: [{ address, price: -1 }] })],
    ['answers no JSON', () => new Response('no')],
    ['refuses', () => new Response('{}', { status: 429 })],
    ['does not answer', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('2. counts with the floor if the gateway %s', async (_, answer) => {
    expect(await ask(coin(1), gateway(answer).fetch)).toBe(6_000)
  })

  it.each<[string, CaipNetworkId, number, number]>([
    ['Bitcoin', 'bip122:000000000019d6689c085ae165831e93', 8, 150_000],
    ['a test network of Bitcoin', 'bip122:000000000933ea01ad0ee984209779ba', 8, 150_000],
    ['Solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 9, 350],
    ['a network of Solana that the table does not have', 'solana:devnet', 9, 350],
    ['a network with a coin of its own', 'eip155:56', 18, 1_600],
  ])('1. knows the coin of %s', async (_, networkId, decimals, expected) => {
    expect(await ask(coin(1, decimals), gateway(() => new Response('no')).fetch, { networkId })).toBe(expected)
  })

  it('2. is unknown for a coin without a floor, whatever the gateway says', async () => {
    const { asked, fetch } = gateway(() => priced(1))
    expect(await ask(coin(1), fetch, { networkId: 'eip155:31337' })).toBeNull()
    expect(asked).toEqual([])
  })

  it('asks for no price if the worth is unknown, no coin leaves, or the floor is above the limit', async () => {
    const { asked, fetch } = gateway(() => priced(2000))
    expect(await ask(null, fetch)).toBeNull()
    expect(await ask({ native: 0n, dollars: 3 }, fetch)).toBe(3)
    expect(await ask(coin(1), fetch, { limitUsd: 25 })).toBeGreaterThan(25)
    expect(asked).toEqual([])
  })
})
