import { base58, base64, hex } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { evmAccount, ordinalsAddress, paymentAddress, regtest, solanaAccount, solanaMainnet } from '../testing/set-up'
import type { SessionState } from './dialect'
import { dialects } from './dialects'

const { eip155, solana, bip122 } = dialects

function state(changes: Partial<SessionState>): SessionState {
  return { networkId: 'eip155:1', accounts: [], methods: new Set(), properties: undefined, ...changes }
}
const onEvm = state({ accounts: [{ namespace: 'eip155', address: evmAccount, type: 'eoa' }] })
const onSolana = state({
  networkId: solanaMainnet,
  accounts: [{ namespace: 'solana', address: solanaAccount, type: 'eoa' }],
})
const onBitcoin = state({
  networkId: regtest,
  accounts: [
    { namespace: 'bip122', address: paymentAddress, type: 'payment' },
    { namespace: 'bip122', address: ordinalsAddress, type: 'ordinals' },
  ],
})

const signatureBytes = new Uint8Array(64).fill(7)
const signature = base58.encode(signatureBytes)

function transactionOf(signed: Uint8Array): string {
  const message = [1, 0, 0, 1, ...base58.decode(solanaAccount), ...new Uint8Array(32), 0]
  return base64.encode(Uint8Array.from([1, ...signed, ...message]))
}
const unsigned = transactionOf(new Uint8Array(64))
const signed = transactionOf(signatureBytes)

describe('eip155', () => {
  it('offers signing, sending and wallet methods, but no reads', () => {
    expect(eip155.methods).toContain('wallet_switchEthereumChain')
    expect(eip155.methods.filter((method) => /^(eth_call|eth_getBalance|solana_)/.test(method))).toEqual([])
    expect(() => eip155.toWire('eth_call', [], onEvm)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_METHOD' }))
  })

  it('returns accounts, chain id and the session’s capabilities without the wallet', () => {
    expect(eip155.localAnswer('eth_accounts', onEvm)).toEqual([evmAccount])
    expect(eip155.localAnswer('eth_chainId', { ...onEvm, networkId: 'eip155:8453' })).toBe('0x2105')
    const capabilities = { '0x1': { atomic: { status: 'supported' } } }
    const told = state({ properties: { capabilities: JSON.stringify(capabilities) } })
    expect(eip155.localAnswer('wallet_getCapabilities', told)).toEqual(capabilities)
    expect(eip155.localAnswer('wallet_getCapabilities', state({ properties: { capabilities: '{' } }))).toBeUndefined()
  })

  it('accepts only well-formed hashes and signatures', () => {
    const { read } = eip155.toWire('eth_sendTransaction', [{}], onEvm)
    expect(read(`0x${'ab'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`)
    for (const other of ['0x12', null, { hash: 1 }])
      expect(() => read(other)).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  })
})

describe('solana', () => {
  it('1, 2. names the active account, and does not send the network', () => {
    const { params } = solana.toWire('solana_signMessage', { message: '2x', network: solanaMainnet }, onSolana)
    expect(params).toEqual({ message: '2x', pubkey: solanaAccount })
    const stranger = { message: '2x', pubkey: '11111111111111111111111111111111' }
    expect(() => solana.toWire('solana_signMessage', stranger, onSolana)).toThrow(
      expect.objectContaining({ code: 'UNAUTHORIZED' }),
    )
    expect(() => solana.toWire('solana_signMessage', { message: '0OIl' }, onSolana)).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMS' }),
    )
  })

  it.each([
    ['an object', { signature }],
    ['a bare signature', signature],
    ['base64', { signature: base64.encode(signatureBytes) }],
  ])('3. reads a signature that is %s', (_, answer) => {
    const { read } = solana.toWire('solana_signMessage', { message: '2x' }, onSolana)
    expect(read(answer)).toEqual({ signature })
  })

  it.each([
    [{ signature, transaction: signed }],
    [{ signature, transaction: base58.encode(base64.decode(signed)) }],
    [{ signature }],
    [signature],
  ])('3, 4. returns the whole transaction for %j', async (answer) => {
    const { read } = solana.toWire('solana_signTransaction', { transaction: unsigned }, onSolana)
    expect(await read(answer)).toEqual({ signature, transaction: signed })
  })

  it.each([
    [{ transactions: [signed, signed] }],
    [{ signatures: [signature, signature] }],
    [[signed, base58.encode(base64.decode(signed))]],
  ])('3, 4. returns all transactions for %j', async (answer) => {
    const { read } = solana.toWire('solana_signAllTransactions', { transactions: [unsigned, unsigned] }, onSolana)
    expect(await read(answer)).toEqual({ transactions: [signed, signed] })
  })

  it.each([[null], [{}], [{ signature: 'no' }], [42], [{ transactions: [signed] }], [['!', '!']]])(
    '3. rejects %j',
    async (answer) => {
      const all = solana.toWire('solana_signAllTransactions', { transactions: [unsigned, unsigned] }, onSolana)
      const one = solana.toWire('solana_signTransaction', { transaction: unsigned }, onSolana)
      await expect(Promise.resolve(all.read(answer))).rejects.toMatchObject({ code: 'INTERNAL' })
      await expect(Promise.resolve(one.read(answer))).rejects.toMatchObject({ code: 'INTERNAL' })
    },
  )

  it('returns the accounts without the wallet', () => {
    expect(solana.localAnswer('solana_getAccounts', onSolana)).toEqual([{ pubkey: solanaAccount }])
  })
})

describe('bip122', () => {
  it('1. uses the wallet’s method names, with the payment address as account', () => {
    const transfer = { recipientAddress: paymentAddress, amount: '1000' }
    expect(bip122.toWire('bip122_sendTransfer', transfer, onBitcoin)).toMatchObject({
      method: 'sendTransfer',
      params: { account: paymentAddress, ...transfer },
    })
    const psbt = { psbt: 'cHNidP8B', signInputs: [{ index: 0, address: ordinalsAddress }] }
    expect(bip122.toWire('bip122_signPsbt', psbt, onBitcoin)).toMatchObject({
      method: 'signPsbt',
      params: { account: paymentAddress, ...psbt, broadcast: false },
    })
    expect(() => bip122.toWire('signPsbt', psbt, onBitcoin)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_METHOD' }),
    )
  })

  it('2. converts signatures and PSBTs to base64', () => {
    const message = { address: paymentAddress, message: 'hello' }
    const { read } = bip122.toWire('bip122_signMessage', message, onBitcoin)
    const bytes = new Uint8Array(65).fill(31)
    for (const answer of [hex.encode(bytes), base64.encode(bytes)])
      expect(read({ address: paymentAddress, signature: answer })).toEqual({
        address: paymentAddress,
        signature: base64.encode(bytes),
      })
    expect(() => read({ signature: '<b>' })).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  })

  it('4. never returns a signature of one type as the other', () => {
    const message = { address: paymentAddress, message: 'hello' }
    const ecdsa = base64.encode(new Uint8Array(65).fill(31))
    const witness = base64.encode(new Uint8Array(107).fill(2))
    const read = (protocol: string, signature: string) =>
      bip122.toWire('bip122_signMessage', { ...message, protocol }, onBitcoin).read({ signature })
    expect(read('ecdsa', ecdsa)).toMatchObject({ signature: ecdsa })
    expect(read('bip322', witness)).toMatchObject({ signature: witness })
    for (const [protocol, signature] of [
      ['ecdsa', witness],
      ['bip322', ecdsa],
    ] as const)
      expect(() => read(protocol, signature)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_METHOD' }))
  })

  it('2. reads a transaction id in each format', () => {
    const { read } = bip122.toWire('bip122_sendTransfer', { recipientAddress: paymentAddress, amount: '1' }, onBitcoin)
    const txid = 'ab'.repeat(32)
    for (const answer of [txid, { txid }, { tx_id: txid.toUpperCase() }]) expect(read(answer)).toEqual({ txid })
    expect(() => read({ txid: '../x' })).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  })

  it('3. returns its addresses from the session, and rejects another account', () => {
    expect(bip122.localAnswer('bip122_getAccountAddresses', onBitcoin)).toEqual([
      { address: paymentAddress, purpose: 'payment' },
      { address: ordinalsAddress, purpose: 'ordinals' },
    ])
    expect(bip122.localAnswer('bip122_getNetwork', onBitcoin)).toBe(regtest)
    const stranger = 'bcrt1q6rhpng9evdsfnn833a4f4vej0asu6dk5srld6x'
    for (const [method, params] of [
      ['bip122_signMessage', { address: stranger, message: 'x' }],
      ['bip122_sendTransfer', { account: stranger, recipientAddress: paymentAddress, amount: '1' }],
    ] as const)
      expect(() => bip122.toWire(method, params, onBitcoin)).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED' }))
  })
})
